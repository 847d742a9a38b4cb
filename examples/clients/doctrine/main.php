<?php
// uid11 with Doctrine; arguments: FILE PREFIX FROM UPTO (see doc/frameworks.md)

require 'Doctrine/ORM/autoload.php';
require 'Doctrine/DBAL/autoload.php';
require 'Symfony/Component/Cache/autoload.php';
foreach (glob(__DIR__ . '/src/*.php') as $file) {
    require $file;
}

use Doctrine\DBAL\ArrayParameterType;
use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\ORMSetup;
use Doctrine\ORM\Query\ResultSetMappingBuilder;
use Doctrine\ORM\Tools\SchemaTool;

[, $path, $prefix, $from, $upto] = $argv;
$rows = array_map(fn ($line) => explode("\t", $line), file($path, FILE_IGNORE_NEW_LINES));
$given = $rows[0];
$bulk = array_slice($rows, 1);
$ids = array_column(array_slice($rows, 0, 3), 0);

Type::addType('uid11', Uid11Type::class);
$db = DriverManager::getConnection([
    'driver' => 'pdo_pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT'),
    'user' => getenv('PGUSER'), 'password' => getenv('PGPASSWORD'),
    'dbname' => getenv('PGDATABASE')]);
$db->getDatabasePlatform()->registerDoctrineTypeMapping('uid11', 'uid11');
$configuration = ORMSetup::createAttributeMetadataConfiguration([__DIR__ . '/src'], true);
$em = new EntityManager($db, $configuration);

$db->executeStatement('CREATE EXTENSION idtypes');
(new SchemaTool($em))->createSchema($em->getMetadataFactory()->getAllMetadata());
echo "migration: done\n";

foreach ($bulk as [$id, $body]) {
    $db->insert('post', ['id' => $id, 'body' => $body]);
}
$db->insert('post', ['id' => $given[0], 'body' => $given[1]]);
echo 'bulk insert: ', count($bulk), "\n";

$new = new Post('new');
$em->persist($new);
$em->persist(new Comment($new));
$em->flush();
echo "default: $new->id\n";

$made = array_map(fn ($number) => new Post("made$number"), range(0, 2));
array_map([$em, 'persist'], $made);
$em->flush();
echo 'made: ', implode(' ', array_column($made, 'id')), "\n";
$em->clear();

function show(string $step, array $found): void
{
    echo "$step: ", implode(' ', array_column($found, 'body')), "\n";
}

show('equality', [$em->find(Post::class, $new->id)]);
$comment = $em->getRepository(Comment::class)->findOneBy(['post' => $new->id]);
show('equality (foreign key)', [$comment->post]);

show('list', $em->getRepository(Post::class)->findBy(['id' => $ids], ['id' => 'ASC']));

function posts(EntityManager $em, string $condition, array $parameters): array
{
    $map = new ResultSetMappingBuilder($em);
    $map->addRootEntityFromClassMetadata(Post::class, 'post');
    return $em->createNativeQuery("SELECT * FROM post WHERE $condition ORDER BY id", $map)
        ->setParameters($parameters)->getResult();
}

show('prefix', posts($em, 'id <@ uid11_prefix(?)', [$prefix]));

show('window', posts($em, 'id <@ uid11_range(?, ?)', [$from, $upto]));

$every = $em->createQuery('SELECT post.id FROM Post post ORDER BY post.id');
echo 'text: ', implode(' ', $every->getSingleColumnResult()), "\n";

$columns = $db->createSchemaManager()->listTableColumns('comment');
echo 'introspection: ', $columns['post_id']->getType()->getName(), "\n";

echo 'json: ', json_encode($em->find(Post::class, $new->id)), "\n";
