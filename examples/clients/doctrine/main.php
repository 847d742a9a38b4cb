<?php
// uid11 with Doctrine; arguments: ID FROM UPTO PREFIX KEY (see doc/frameworks.md)

require 'Doctrine/ORM/autoload.php';
require 'Doctrine/DBAL/autoload.php';
require 'Symfony/Component/Cache/autoload.php';
require 'model.php';

use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\ORMSetup;
use Doctrine\ORM\Query\ResultSetMappingBuilder;
use Doctrine\ORM\Tools\SchemaTool;

[, $id, $from, $upto, $prefix, $key] = $argv;

Type::addType('uid11', Uid11Type::class);
$db = DriverManager::getConnection([
    'driver' => 'pdo_pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT'),
    'user' => getenv('PGUSER'), 'password' => getenv('PGPASSWORD'),
    'dbname' => getenv('PGDATABASE')]);
$db->getDatabasePlatform()->registerDoctrineTypeMapping('uid11', 'uid11');
$configuration = ORMSetup::createAttributeMetadataConfiguration([__DIR__], true);
$em = new EntityManager($db, $configuration);

$db->executeStatement('CREATE EXTENSION idtypes');
(new SchemaTool($em))->createSchema(array_map([$em, 'getClassMetadata'], ['Post', 'Comment']));
echo "migration: done\n";

$db->insert('post', ['id' => $id, 'body' => 'given']);
$new = new Post('new');
$em->persist($new);
$em->flush();
echo "default: $new->id\n";

function show(string $step, EntityManager $em, string $condition, array $parameters): void
{
    $map = new ResultSetMappingBuilder($em);
    $map->addRootEntityFromClassMetadata(Post::class, 'post');
    $found = $em->createNativeQuery("SELECT * FROM post WHERE $condition ORDER BY id", $map)
        ->setParameters($parameters)->getResult();
    echo "$step: ", implode(' ', array_column($found, 'body')), "\n";
}

show('prefix', $em, 'id <@ uid11_prefix(?)', [$prefix]);
show('window', $em, 'id <@ uid11_range(?, ?)', [$from, $upto]);

$address = $db->fetchOne("SELECT uid11_encrypt(?, decode(?, 'hex'))", [$new->id, $key]);
echo "encrypted: $address\n";
show('address', $em, "id = uid11_try_decrypt(?, decode(?, 'hex'))", [$address, $key]);
