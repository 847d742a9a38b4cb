// uid11 with pgx 5; arguments: ID FROM UPTO (see doc/clients.md)
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
	id := os.Args[1]
	from, err := time.Parse(time.RFC3339, os.Args[2])
	must(err)
	upto, err := time.Parse(time.RFC3339, os.Args[3])
	must(err)

	db, err := pgx.Connect(ctx, "") // PGHOST and so on say where
	must(err)
	must(registerUid11(ctx, db, Uid11Text{}))

	_, err = db.Exec(ctx, "INSERT INTO post (id, body) VALUES ($1, 'given')", id)
	must(err)
	var new Uid11
	must(db.QueryRow(ctx, "INSERT INTO post (body) VALUES ('new') RETURNING id").Scan(&new))
	fmt.Println("default:", new)

	show := func(step, condition string, arguments ...any) {
		found, err := db.Query(ctx,
			"SELECT body FROM post WHERE "+condition+" ORDER BY id", arguments...)
		must(err)
		bodies, err := pgx.CollectRows(found, pgx.RowTo[string])
		must(err)
		fmt.Println(step+":", strings.Join(bodies, " "))
	}

	show("equality", "id = $1", new)
	show("list", "id = ANY($1)", []string{id, string(new)})
	show("window", "id <@ uid11_range($1, $2)", from, upto)
	show("instant", "id >= $1::timestamptz", from)

	var array []Uid11
	must(db.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM post").Scan(&array))
	fmt.Println("array:", strings.Trim(fmt.Sprint(array), "[]"))
	mapped := fmt.Sprintf("%T %T", array[0], new)
	fmt.Println("mapped:", strings.ReplaceAll(mapped, "main.", ""))

	must(registerUid11(ctx, db, pgtype.ByteaCodec{}))
	var values [][]byte // most significant byte first
	must(db.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM post").Scan(&values))
	fmt.Println("binary:", strings.Trim(fmt.Sprintf("%x", values), "[]"))
	show("binary parameter", "id = $1", values[0])

	_, err = db.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"id", "body"},
		pgx.CopyFromSlice(len(values), func(i int) ([]any, error) {
			return []any{values[i], "copied"}, nil
		}))
	must(err)
}
