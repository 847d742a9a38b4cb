"""As makemigrations writes it, and the extension before."""

import blog.fields
from django.contrib.postgres.operations import CreateExtension
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        CreateExtension("idtypes"),
        migrations.CreateModel(
            name="Post",
            fields=[
                ("id", blog.fields.Uid11AutoField(primary_key=True, serialize=False)),
                ("body", models.TextField()),
            ],
            options={"db_table": "post"},
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False,
                                           verbose_name="ID")),
                ("post", models.ForeignKey(on_delete=models.deletion.CASCADE, to="blog.post")),
            ],
            options={"db_table": "comment"},
        ),
    ]
