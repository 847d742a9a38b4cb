<?php

use Doctrine\DBAL\Platforms\AbstractPlatform;
use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;
use Doctrine\ORM\Mapping as ORM;

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

/** Asks the server for an id, because Doctrine needs it before it inserts. */
class Uid11Generator extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): string
    {
        return $em->getConnection()->fetchOne("SELECT uid11_generate()");
    }
}

#[ORM\Entity]
#[ORM\Table(name: 'post')]
class Post
{
    #[ORM\Id]
    #[ORM\Column(type: 'uid11', columnDefinition: "uid11 NOT NULL DEFAULT uid11_generate()")]
    #[ORM\GeneratedValue(strategy: 'CUSTOM')]
    #[ORM\CustomIdGenerator(class: Uid11Generator::class)]
    public ?string $id = null;

    public function __construct(
        #[ORM\Column(type: 'text')]
        public string $body,
    ) {
    }
}

#[ORM\Entity]
#[ORM\Table(name: 'comment')]
class Comment
{
    #[ORM\Id]
    #[ORM\Column]
    #[ORM\GeneratedValue]
    public ?int $id = null;

    #[ORM\ManyToOne]
    #[ORM\JoinColumn(nullable: false, columnDefinition: 'uid11 NOT NULL')]
    public Post $post;
}
