"""uid11 with Django; arguments: ID FROM UPTO PREFIX KEY (see doc/frameworks.md)."""

import os
import sys
from datetime import datetime

import django
from django.conf import settings
from django.core.management import call_command

database = {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}
settings.configure(INSTALLED_APPS=["blog"], DATABASES={"default": database}, USE_TZ=True,
                   DEFAULT_AUTO_FIELD="django.db.models.BigAutoField")
django.setup()

from django.db.models import CharField, F, Func, Value

from blog.models import Post

id, *window, prefix, key = sys.argv[1:]
window, key = [datetime.fromisoformat(instant) for instant in window], bytes.fromhex(key)


def show(step, found):
    print(step + ":", *[post.body for post in found])


call_command("makemigrations", verbosity=0)
call_command("migrate", verbosity=0)
call_command("makemigrations", check=True, dry_run=True, verbosity=0)   # exits if one is missing
print("migration: done")

Post.objects.create(id=id, body="given")
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

call_command("dumpdata", "blog", output="dump.json", verbosity=0)
Post.objects.all().delete()
call_command("loaddata", "dump.json", verbosity=0)
