CREATE EXTENSION IF NOT EXISTS idtypes;

CREATE TABLE "post" (
    "id" uid11 NOT NULL DEFAULT uid11_generate(),
    "body" TEXT NOT NULL,

    CONSTRAINT "post_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "comment" (
    "id" BIGSERIAL NOT NULL,
    "post_id" uid11 NOT NULL,

    CONSTRAINT "comment_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "comment" ADD CONSTRAINT "comment_post_id_fkey"
    FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
