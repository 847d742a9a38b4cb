CREATE EXTENSION IF NOT EXISTS idtypes;

CREATE TABLE "post" (
    "id" uid11 NOT NULL DEFAULT uid11_generate(),
    "body" TEXT NOT NULL,

    CONSTRAINT "post_pkey" PRIMARY KEY ("id")
);
