// uid11 with JDBC; arguments: ID FROM UPTO (see doc/clients.md)

import java.sql.*;
import java.time.OffsetDateTime;
import java.util.*;
import org.postgresql.PGConnection;
import org.postgresql.util.PGobject;

class Jdbc
{
	/** An id, as the server writes it. */
	public static class Uid11 extends PGobject
	{
		public Uid11()
		{
			setType("uid11");
		}

		public Uid11(String text) throws SQLException
		{
			this();
			setValue(text);
		}
	}

	static void show(String step, ResultSet found) throws SQLException
	{
		var values = new ArrayList<String>();
		while (found.next())
			values.add(found.getString(1));
		System.out.println(step + ": " + String.join(" ", values));
	}

	static void ask(Connection db, String step, String condition, Object... values)
		throws SQLException
	{
		var query = db.prepareStatement(
			"SELECT body FROM post WHERE " + condition + " ORDER BY id");
		for (int i = 0; i < values.length; i++)
			query.setObject(i + 1, values[i]);
		show(step, query.executeQuery());
	}

	public static void main(String[] args) throws Exception
	{
		var given = args[0];
		var from = OffsetDateTime.parse(args[1]);
		var upto = OffsetDateTime.parse(args[2]);

		var url = System.getenv("JDBC_URL");
		var db = DriverManager.getConnection(url);
		db.unwrap(PGConnection.class).addDataType("uid11", Uid11.class);

		var insert = db.prepareStatement("INSERT INTO post (id, body) VALUES (?, 'given')");
		insert.setString(1, given);
		insert.executeUpdate();

		insert = db.prepareStatement("INSERT INTO post (body) VALUES (?)", new String[] {"id"});
		insert.setString(1, "new");
		insert.executeUpdate();
		var keys = insert.getGeneratedKeys();
		keys.next();
		var id = (Uid11) keys.getObject(1);
		System.out.println("default: " + id);

		var query = db.prepareStatement("SELECT body FROM post WHERE id = ?");
		query.setObject(1, id);
		show("equality", query.executeQuery());

		query = db.prepareStatement("SELECT body FROM post WHERE id = ?::uid11");
		query.setString(1, id.getValue());
		show("equality (string)", query.executeQuery());

		query = db.prepareStatement("SELECT body FROM post WHERE id = ?");
		query.setObject(1, id.getValue(), Types.OTHER);
		show("equality (other)", query.executeQuery());

		try (var lax = DriverManager.getConnection(url + "&stringtype=unspecified"))
		{
			query = lax.prepareStatement("SELECT body FROM post WHERE id = ?");
			query.setString(1, id.getValue());
			show("equality (stringtype)", query.executeQuery());
		}

		ask(db, "list", "id = ANY(?)",
			db.createArrayOf("uid11", new Object[] {given, id.getValue()}));
		ask(db, "window", "id <@ uid11_range(?, ?)", from, upto);
		ask(db, "instant", "id >= ?", from);

		var found = db.createStatement().executeQuery(
			"SELECT array_agg(id ORDER BY id) FROM post");
		found.next();
		var array = (Object[]) found.getArray(1).getArray();
		System.out.println("array: " + String.join(" ",
			Arrays.stream(array).map(Object::toString).toList()));
		System.out.println("mapped: " + array[0].getClass().getSimpleName() + " "
			+ id.getClass().getSimpleName());

		found = db.createStatement().executeQuery(
			"SELECT id::bytea AS bytes FROM post ORDER BY id");
		var values = new ArrayList<String>();           // most significant byte first
		while (found.next())
			values.add(HexFormat.of().formatHex(found.getBytes(1)));
		System.out.println("binary (bytea): " + String.join(" ", values));
		ask(db, "binary parameter (bytea)", "id = ?::bytea::uid11",
			HexFormat.of().parseHex(values.get(0)));
	}
}
