"""uid11 with Django; arguments: FILE PREFIX FROM UPTO KEY (see doc/frameworks.md)."""

import os
import sys
from datetime import datetime

import django
from django.core.management import call_command

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()

from django.db.models import CharField, F, Func, Value

from blog.models import Post

path, prefix, *window, key = sys.argv[1:]
window, key = [datetime.fromisoformat(instant) for instant in window], bytes.fromhex(key)
with open(path, encoding="utf-8") as file:
    rows = [dict(zip(("id", "body"), line.split())) for line in file]


def show(step, found):
    print(step + ":", *[post.body for post in found])


call_command("migrate", verbosity=0)
call_command("makemigrations", check=True, dry_run=True, verbosity=0)   # exits if one is missing
print("migration: done")

Post.objects.bulk_create(Post(**row) for row in rows)

new, = Post.objects.bulk_create([Post(body="new")])     # or save()
print("default:", new.id)

show("prefix", Post.objects.extra(where=["id <@ uid11_prefix(%s)"], params=[prefix]).order_by("id"))
show("window", Post.objects.extra(where=["id <@ uid11_range(%s, %s)"], params=window)
     .order_by("id"))
encrypt = Func(F("id"), Value(key), function="uid11_encrypt", output_field=CharField())
address = Post.objects.annotate(address=encrypt).get(id=new.id).address
print("encrypted:", address)
decrypt = Func(Value(address), Value(key), function="uid11_try_decrypt",
               output_field=CharField())
show("address", Post.objects.filter(id=decrypt))

print("text:", *Post.objects.order_by("id").values_list("id", flat=True))

call_command("dumpdata", "blog", output="dump.json", verbosity=0)
Post.objects.all().delete()
call_command("loaddata", "dump.json", verbosity=0)
print("text (loaddata):", *Post.objects.order_by("id").values_list("id", flat=True))
