<?php

use Doctrine\ORM\Mapping as ORM;

#[ORM\Entity]
#[ORM\Table(name: 'post')]
class Post implements JsonSerializable
{
    #[ORM\Id]
    #[ORM\Column(type: 'uid11', columnDefinition: "uid11 NOT NULL DEFAULT uid11_generate()")]
    #[ORM\GeneratedValue(strategy: 'CUSTOM')]
    #[ORM\CustomIdGenerator(class: Uid11Generator::class)]
    public ?string $id = null;

    #[ORM\Column(type: 'text')]
    public string $body;

    public function __construct(string $body)
    {
        $this->body = $body;
    }

    public function jsonSerialize(): array
    {
        return ['id' => $this->id, 'body' => $this->body];
    }
}
