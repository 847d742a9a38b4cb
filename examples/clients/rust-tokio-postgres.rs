// uid11 with tokio-postgres; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)
//
// [dependencies]
// bytes = "1"
// chrono = "0.4"
// futures-util = "0.3"
// tokio = { version = "1", features = ["macros", "rt"] }
// tokio-postgres = { version = "0.7", features = ["with-chrono-0_4"] }

use bytes::{Bytes, BytesMut};
use chrono::{DateTime, Utc};
use futures_util::{pin_mut, SinkExt};
use std::collections::HashMap;
use std::error::Error;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};
use tokio_postgres::NoTls;

/// An id: its bytes, most significant first, as the server sends and takes them.
#[derive(Clone, Debug, PartialEq)]
struct Uid11(Vec<u8>);

impl<'a> FromSql<'a> for Uid11 {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Uid11(raw.to_vec()))
    }
    fn accepts(ty: &Type) -> bool {
        ty.name() == "uid11"
    }
}

impl ToSql for Uid11 {
    fn to_sql(&self, _: &Type, to: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        to.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }
    fn accepts(ty: &Type) -> bool {
        ty.name() == "uid11"
    }
    to_sql_checked!();
}

fn hex(ids: &[Uid11]) -> String {
    let digits = |id: &Uid11| id.0.iter().map(|byte| format!("{:02x}", byte)).collect::<String>();
    ids.iter().map(digits).collect::<Vec<_>>().join(" ")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&arguments[0])?;
    let prefix = &arguments[1];
    let from: DateTime<Utc> = arguments[2].parse()?;
    let upto: DateTime<Utc> = arguments[3].parse()?;
    let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('\t')).collect();
    let given = lines[0];
    let ids: Vec<&str> = lines[..3].iter().map(|line| line.0).collect();

    // the variables that libpq reads, this library leaves to the program
    let mut config = String::new();
    for (word, name) in [("host", "PGHOST"), ("port", "PGPORT"), ("user", "PGUSER"),
                         ("password", "PGPASSWORD"), ("dbname", "PGDATABASE")] {
        config += &format!("{}='{}' ", word, std::env::var(name)?);
    }
    let (db, connection) = tokio_postgres::connect(&config, NoTls).await?;
    tokio::spawn(connection);

    let sink = db.copy_in::<_, Bytes>("COPY post (id, body) FROM STDIN").await?;
    pin_mut!(sink);
    for (id, body) in &lines[1..] {
        sink.send(Bytes::from(format!("{}\t{}\n", id, body))).await?;
    }
    println!("copy text: {}", sink.finish().await?);

    let new: String = db
        .query_one("INSERT INTO post (body) VALUES ($1) RETURNING id::text", &[&"new"])
        .await?.get(0);
    println!("default: {}", new);

    let insert = "INSERT INTO post (id, body) VALUES ($1::text::uid11, $2)";
    db.execute(insert, &[&given.0, &given.1]).await?;

    let show = |step: &'static str, rows: Vec<tokio_postgres::Row>| {
        let values: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        println!("{}: {}", step, values.join(" "));
    };

    // without the cast, the library refuses to send a string
    let refused = db.query("SELECT body FROM post WHERE id = $1", &[&new]).await;
    assert!(refused.unwrap_err().to_string().contains("error serializing parameter 0"));

    show("equality", db
        .query("SELECT body FROM post WHERE id = $1::text::uid11", &[&new])
        .await?);

    show("list", db
        .query("SELECT body FROM post WHERE id = ANY($1::text[]::uid11[]) ORDER BY id", &[&ids])
        .await?);

    show("prefix", db
        .query("SELECT body FROM post WHERE id <@ uid11_prefix($1) ORDER BY id", &[prefix])
        .await?);

    show("window", db
        .query("SELECT body FROM post WHERE id <@ uid11_range($1, $2) ORDER BY id", &[&from, &upto])
        .await?);

    show("instant", db
        .query("SELECT body FROM post WHERE id >= $1::timestamptz ORDER BY id", &[&from])
        .await?);

    show("text", db.query("SELECT id::text FROM post ORDER BY post.id", &[]).await?);

    let array: Vec<String> = db
        .query_one("SELECT array_agg(id ORDER BY id)::text[] FROM post", &[])
        .await?.get(0);
    println!("array: {}", array.join(" "));

    let values: Vec<Uid11> = db
        .query_one("SELECT array_agg(id ORDER BY id) FROM post", &[])
        .await?.get(0);
    println!("binary: {}", hex(&values));
    println!("mapped: {}", std::any::type_name::<Uid11>().rsplit(':').next().unwrap());

    show("binary parameter", db
        .query("SELECT body FROM post WHERE id = $1", &[&values[0]])
        .await?);

    let by_text: HashMap<&str, &Uid11> = array.iter().map(String::as_str).zip(&values).collect();
    let some: Vec<&Uid11> = ids.iter().map(|id| by_text[id]).collect();
    show("list (bytes)", db
        .query("SELECT body FROM post WHERE id = ANY($1) ORDER BY id", &[&some])
        .await?);

    let ty = db.prepare("SELECT id FROM copied").await?.columns()[0].type_().clone();
    let sink = db.copy_in("COPY copied (id, body) FROM STDIN (FORMAT binary)").await?;
    let writer = BinaryCopyInWriter::new(sink, &[ty, Type::TEXT]);
    pin_mut!(writer);
    for (id, body) in &lines {
        writer.as_mut().write(&[by_text[id], body]).await?;
    }
    println!("copy binary: {}", writer.finish().await?);
    Ok(())
}
