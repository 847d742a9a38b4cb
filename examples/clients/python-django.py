"""uid11 with Django; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)."""

import os
import sys
from datetime import datetime

import django
from django.conf import settings
from django.db import connection

settings.configure(USE_TZ=True, DATABASES={"default": {
    "ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}})
django.setup()

from django.db import models
from django.db.models.fields import AutoFieldMixin


class Uid11Field(AutoFieldMixin, models.Field):
    """A key that the server makes where it is not given; a string in Python."""

    empty_strings_allowed = False

    def db_type(self, connection):
        return "uid11"

    rel_db_type = db_type                               # of foreign keys to it

    def db_type_suffix(self, connection):
        return "DEFAULT uid11_generate()"


@Uid11Field.register_lookup
class Prefix(models.Lookup):
    lookup_name = "prefix"

    def as_sql(self, compiler, connection):
        lhs, params = self.process_lhs(compiler, connection)
        return lhs + " <@ uid11_prefix(%s)", [*params, self.rhs]


@Uid11Field.register_lookup
class Window(models.Lookup):
    lookup_name = "window"
    prepare_rhs = False

    def as_sql(self, compiler, connection):
        lhs, params = self.process_lhs(compiler, connection)
        return lhs + " <@ uid11_range(%s, %s)", [*params, *self.rhs]


class Post(models.Model):
    id = Uid11Field(primary_key=True)
    body = models.TextField()

    class Meta:
        app_label = "clients"
        db_table = "post"


class Comment(models.Model):
    post = models.ForeignKey(Post, models.CASCADE)

    class Meta:
        app_label = "clients"


path, prefix, start, end = sys.argv[1:]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
with open(path, encoding="utf-8") as file:
    rows = [dict(zip(("id", "body"), line.split())) for line in file]
given, *bulk = rows
ids = [row["id"] for row in rows[:3]]

with connection.schema_editor() as editor:              # in a project, what migrations do
    editor.execute("DROP TABLE post")
    editor.create_model(Post)
    editor.create_model(Comment)

Post.objects.bulk_create(Post(**row) for row in bulk)
print("bulk insert:", len(bulk))

new = Post(body="new")
new.save()
print("default:", new.id)

Post.objects.create(**given)


def show(step, found):
    print(step + ":", *[post.body for post in found])


show("equality", [Post.objects.get(id=new.id)])

show("list", Post.objects.filter(id__in=ids).order_by("id"))

show("prefix", Post.objects.filter(id__prefix=prefix).order_by("id"))

show("window", Post.objects.filter(id__window=(start, end)).order_by("id"))

Comment.objects.create(post=new)
show("equality (foreign key)", [Comment.objects.get(post=new).post])

print("text:", *Post.objects.order_by("id").values_list("id", flat=True))
print("mapped:", Comment._meta.get_field("post").db_type(connection))
