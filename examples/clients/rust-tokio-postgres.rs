// uid11 with tokio-postgres; arguments: ID FROM UPTO (see doc/clients.md)
//
// [dependencies]
// bytes = "1"
// chrono = "0.4"
// futures-util = "0.3"
// tokio = { version = "1", features = ["macros", "rt"] }
// tokio-postgres = { version = "0.7", features = ["with-chrono-0_4"] }

use bytes::BytesMut;
use chrono::{DateTime, Utc};
use futures_util::pin_mut;
use std::error::Error;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};
use tokio_postgres::{Client, NoTls};

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

async fn show(db: &Client, step: &str, condition: &str, values: &[&(dyn ToSql + Sync)])
    -> Result<(), tokio_postgres::Error> {
    let statement = format!("SELECT body FROM post WHERE {} ORDER BY id", condition);
    let found = db.query(&statement, values).await?;
    let bodies: Vec<String> = found.iter().map(|row| row.get(0)).collect();
    println!("{}: {}", step, bodies.join(" "));
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = &arguments[0];
    let from: DateTime<Utc> = arguments[1].parse()?;
    let upto: DateTime<Utc> = arguments[2].parse()?;

    let (db, connection) = tokio_postgres::connect(&std::env::var("DATABASE_URL")?, NoTls).await?;
    tokio::spawn(connection);

    let insert = "INSERT INTO post (id, body) VALUES ($1::text::uid11, 'given')";
    db.execute(insert, &[given]).await?;
    let new: String = db
        .query_one("INSERT INTO post (body) VALUES ('new') RETURNING id::text", &[])
        .await?.get(0);
    println!("default: {}", new);

    // without the cast, the library refuses to send a string
    let refused = db.query("SELECT body FROM post WHERE id = $1", &[&new]).await;
    assert!(refused.unwrap_err().to_string().contains("error serializing parameter 0"));

    show(&db, "equality", "id = $1::text::uid11", &[&new]).await?;
    let ids = vec![given, &new];
    show(&db, "list", "id = ANY($1::text[]::uid11[])", &[&ids]).await?;
    show(&db, "window", "id <@ uid11_range($1, $2)", &[&from, &upto]).await?;
    show(&db, "instant", "id >= $1::timestamptz", &[&from]).await?;

    let array: Vec<String> = db
        .query_one("SELECT array_agg(id ORDER BY id)::text[] FROM post", &[])
        .await?.get(0);
    println!("array: {}", array.join(" "));

    let values: Vec<Uid11> = db
        .query_one("SELECT array_agg(id ORDER BY id) FROM post", &[])
        .await?.get(0);
    print!("binary:");
    for value in &values {
        print!(" {}", value.0.iter().map(|byte| format!("{:02x}", byte)).collect::<String>());
    }
    println!();

    show(&db, "binary parameter", "id = $1", &[&values[0]]).await?;
    show(&db, "binary parameter (list)", "id = ANY($1)", &[&&values[..1]]).await?;

    let ty = db.prepare("SELECT id FROM copied").await?.columns()[0].type_().clone();
    let sink = db.copy_in("COPY copied (id, body) FROM STDIN (FORMAT binary)").await?;
    let writer = BinaryCopyInWriter::new(sink, &[ty, Type::TEXT]);
    pin_mut!(writer);
    for value in &values {
        writer.as_mut().write(&[value, &"copied"]).await?;
    }
    writer.finish().await?;
    Ok(())
}
