"""Those of the project; PGHOST, PGUSER and so on say where the server is."""

import os

SECRET_KEY = "of an example"
USE_TZ = True
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql",
                         "NAME": os.environ["PGDATABASE"]}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = ["blog"]
