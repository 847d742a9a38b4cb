"""Posts, which have a uid11, and comments on them."""

from django.db import models
from django.db.models.fields import AutoFieldMixin


class Uid11Field(models.Field):
    """An id; a string in Python."""

    empty_strings_allowed = False

    def db_type(self, connection):
        return "uid11"


class Uid11AutoField(AutoFieldMixin, Uid11Field):
    """A key that the server generates if none is given."""

    def db_type_suffix(self, connection):
        return "DEFAULT uid11_generate()"

    def rel_db_type(self, connection):                  # of foreign keys to it
        return "uid11"

    def pre_save(self, model_instance, add):            # bulk_create names every column
        value = super().pre_save(model_instance, add)
        return models.Func(template="DEFAULT") if add and value is None else value


class Post(models.Model):
    id = Uid11AutoField(primary_key=True)
    body = models.TextField()

    class Meta:
        db_table = "post"


class Comment(models.Model):
    post = models.ForeignKey(Post, models.CASCADE)

    class Meta:
        db_table = "comment"
