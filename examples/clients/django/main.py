"""uid11 with Django; arguments: FILE PREFIX FROM UPTO (see doc/django.md)."""

import io
import os
import re
import sys
from datetime import datetime

import django
from django.core.management import call_command

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()

from django.contrib.admin import ModelAdmin, site       # only once Django is set up
from django.http import JsonResponse

from blog.models import Comment, Post

path, prefix, start, end = sys.argv[1:]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
with open(path, encoding="utf-8") as file:
    rows = [dict(zip(("id", "body"), line.split())) for line in file]
given, *bulk = rows
ids = [row["id"] for row in rows[:3]]


def show(step, found):
    print(step + ":", *[post.body for post in found])


call_command("migrate", verbosity=0)
call_command("migrate", "blog", "zero", verbosity=0)    # and back
call_command("migrate", verbosity=0)
call_command("makemigrations", check=True, dry_run=True, verbosity=0)   # exits if one is missing
print("migration: done")

Post.objects.bulk_create(Post(**row) for row in bulk)
print("bulk insert:", len(bulk))

new = Post(body="new")
new.save()
print("default:", new.id)

made = Post.objects.bulk_create([Post(body="made0"), Post(body="made1"), Post(body="made2")])
print("made:", *[post.id for post in made])

post, created = Post.objects.get_or_create(**given)
again, created_again = Post.objects.get_or_create(**given)
assert created and not created_again and again == post

show("equality", [Post.objects.get(id=new.id)])

Comment.objects.create(post=new)
show("equality (foreign key)", [Comment.objects.get(post=new).post])
show("equality (join)", Post.objects.filter(comment__post_id=new.id))
show("equality (prefetch)", [comment.post for comment in Comment.objects.prefetch_related("post")])

new.save()                                              # UPDATE
Post.objects.bulk_update([new, post], ["body"])
show("equality (updated)", [Post.objects.in_bulk([new.id])[new.id]])

show("list", Post.objects.filter(id__in=ids).order_by("id"))

show("prefix", Post.objects.filter(id__prefix=prefix).order_by("id"))

show("window", Post.objects.filter(id__window=(start, end)).order_by("id"))

print("text:", *Post.objects.order_by("id").values_list("id", flat=True))

tables = io.StringIO()
call_command("inspectdb", "post", "comment", stdout=tables)
print("introspection:", *re.findall(r"id = blog[.]fields[.](.*)Field\(", tables.getvalue()))
assert "post = models.ForeignKey(" in tables.getvalue()

print("json:", JsonResponse(Post.objects.values().get(id=new.id)).content.decode())


class PostAdmin(ModelAdmin):
    search_fields = ["=id", "body"]


admin = PostAdmin(Post, site)
show("equality (admin)", [admin.get_object(None, new.id)])
show("equality (admin, search)", admin.get_search_results(None, Post.objects.all(), new.id)[0])

call_command("dumpdata", "blog", output="dump.json", verbosity=0)
Post.objects.all().delete()
call_command("loaddata", "dump.json", verbosity=0)
print("text (loaddata):", *Post.objects.order_by("id").values_list("id", flat=True))
