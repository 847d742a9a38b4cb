"""The command inspectdb, which knows uid11."""

from django.core.management.commands import inspectdb


class Command(inspectdb.Command):
    def get_field_type(self, connection, table_name, row):
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regtype('uid11')::oid::int")
            if cursor.fetchone() == (row.type_code,):
                return "blog.fields.Uid11Field", {}, []
        return super().get_field_type(connection, table_name, row)
