<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/** Asks the server for an id, because Doctrine needs it before it inserts. */
class Uid11Generator extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): string
    {
        return $em->getConnection()->fetchOne("SELECT uid11_generate()");
    }
}
