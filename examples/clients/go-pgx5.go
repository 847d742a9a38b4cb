// uid11 with pgx 5; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Uid11 is an id, as the server writes it.
type Uid11 string

// Uid11Text is the codec of ids as text; pgtype.ByteaCodec is that of their bytes.
type Uid11Text struct{ pgtype.TextCodec }

func (Uid11Text) FormatSupported(format int16) bool { return format == pgtype.TextFormatCode }

// registerUid11 tells a connection about the type, and about arrays of it.
func registerUid11(ctx context.Context, db *pgx.Conn, codec pgtype.Codec) error {
	var oid, arrayOid uint32
	err := db.QueryRow(ctx, "SELECT oid, typarray FROM pg_type WHERE oid = 'uid11'::regtype").
		Scan(&oid, &arrayOid)
	if err != nil {
		return err
	}
	id := &pgtype.Type{Name: "uid11", OID: oid, Codec: codec}
	ids := &pgtype.Type{Name: "_uid11", OID: arrayOid, Codec: &pgtype.ArrayCodec{ElementType: id}}
	db.TypeMap().RegisterType(id)
	db.TypeMap().RegisterType(ids)
	return nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	path, prefix := os.Args[1], os.Args[2]
	from, err := time.Parse(time.RFC3339, os.Args[3])
	must(err)
	upto, err := time.Parse(time.RFC3339, os.Args[4])
	must(err)
	text, err := os.ReadFile(path)
	must(err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	given := strings.Split(lines[0], "\t")
	var ids []string
	for _, line := range lines[:3] {
		ids = append(ids, strings.Split(line, "\t")[0])
	}

	db, err := pgx.Connect(ctx, "") // PGHOST and so on say where
	must(err)
	must(registerUid11(ctx, db, Uid11Text{}))

	rows := strings.NewReader(strings.Join(lines[1:], "\n") + "\n")
	tag, err := db.PgConn().CopyFrom(ctx, rows, "COPY post (id, body) FROM STDIN")
	must(err)
	fmt.Println("copy text:", tag.RowsAffected())

	var id Uid11
	err = db.QueryRow(ctx, "INSERT INTO post (body) VALUES ($1) RETURNING id", "new").Scan(&id)
	must(err)
	fmt.Println("default:", id)

	_, err = db.Exec(ctx, "INSERT INTO post (id, body) VALUES ($1, $2)", given[0], given[1])
	must(err)

	show := func(step, statement string, arguments ...any) {
		found, err := db.Query(ctx, statement, arguments...)
		must(err)
		var values []string
		for found.Next() {
			var value string
			must(found.Scan(&value))
			values = append(values, value)
		}
		must(found.Err())
		fmt.Println(step+":", strings.Join(values, " "))
	}

	show("equality", "SELECT body FROM post WHERE id = $1", id)
	show("list", "SELECT body FROM post WHERE id = ANY($1) ORDER BY id", ids)
	show("prefix", "SELECT body FROM post WHERE id <@ uid11_prefix($1) ORDER BY id", prefix)
	show("window", "SELECT body FROM post WHERE id <@ uid11_range($1, $2) ORDER BY id", from, upto)
	show("instant", "SELECT body FROM post WHERE id >= $1::timestamptz ORDER BY id", from)
	show("text", "SELECT id FROM post ORDER BY id")

	var array []Uid11
	must(db.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM post").Scan(&array))
	fmt.Println("array:", strings.Trim(fmt.Sprint(array), "[]"))
	fmt.Println("mapped:", strings.TrimPrefix(fmt.Sprintf("%T", array[0]), "main."))

	must(registerUid11(ctx, db, pgtype.ByteaCodec{}))
	var values [][]byte // most significant byte first
	must(db.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM post").Scan(&values))
	var body string
	err = db.QueryRow(ctx, "SELECT body FROM post WHERE id = $1", values[0]).Scan(&body)
	must(err)
	fmt.Println("binary:", strings.Trim(fmt.Sprintf("%x", values), "[]"))
	fmt.Println("binary parameter:", body)

	bytesOf := map[string][]byte{}
	for i := range array {
		bytesOf[string(array[i])] = values[i]
	}
	var records [][]any
	for _, line := range lines {
		row := strings.Split(line, "\t")
		records = append(records, []any{bytesOf[row[0]], row[1]})
	}

	count, err := db.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"id", "body"},
		pgx.CopyFromRows(records))
	must(err)
	fmt.Println("copy binary:", count)
}
