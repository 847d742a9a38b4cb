"""Posts, and comments on them."""

from django.db import models

from .fields import Uid11AutoField


class Post(models.Model):
    id = Uid11AutoField(primary_key=True)
    body = models.TextField()

    class Meta:
        db_table = "post"


class Comment(models.Model):
    post = models.ForeignKey(Post, models.CASCADE)

    class Meta:
        db_table = "comment"
