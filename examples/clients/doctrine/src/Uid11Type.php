<?php

use Doctrine\DBAL\Platforms\AbstractPlatform;
use Doctrine\DBAL\Types\Type;

/** An id; a string in PHP. */
class Uid11Type extends Type
{
    public function getSQLDeclaration(array $column, AbstractPlatform $platform): string
    {
        return 'uid11';
    }

    public function getName(): string
    {
        return 'uid11';
    }
}
