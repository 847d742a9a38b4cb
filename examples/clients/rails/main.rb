# uid11 with Rails' ActiveRecord; arguments: FILE PREFIX FROM UPTO (see doc/rails.md)

require 'active_record'
require_relative 'config/initializers/idtypes'
Dir["#{__dir__}/app/models/*.rb"].sort.each { |file| require file }

path, prefix, from, upto = ARGV
rows = File.readlines(path).map { |line| %w[id body].zip(line.chomp.split("\t")).to_h }
given, *bulk = rows
ids = rows.take(3).map { |row| row['id'] }

ActiveRecord::Base.establish_connection(adapter: 'postgresql', database: ENV['PGDATABASE'])
ActiveRecord::Migration.verbose = false

ActiveRecord::Migrator.migrations_paths = ["#{__dir__}/db/migrate"]
# from 7.2 on it is the pool that knows of migrations
database = [ActiveRecord::Base.connection_pool, ActiveRecord::Base.connection].find do |one|
  one.respond_to?(:migration_context)
end

database.migration_context.migrate                      # bin/rails db:migrate
database.migration_context.rollback                     # and back
database.migration_context.migrate

File.open('schema.rb', 'w') do |file|                   # bin/rails db:schema:dump
  ActiveRecord::SchemaDumper.dump(database, file)
end
load 'schema.rb'                                        # bin/rails db:schema:load
puts 'migration: done'

Post.insert_all!(bulk)
puts "bulk insert: #{bulk.size}"

new = Post.create!(body: 'new')                         # INSERT ... RETURNING "id"
puts "default: #{new.id}"

made = Post.insert_all!([{ body: 'made0' }, { body: 'made1' }, { body: 'made2' }])
puts "made: #{made.map { |row| row['id'] }.join(' ')}"

Post.create!(given)
Comment.create!(post: new)

def show(step, found)
  puts "#{step}: #{found.map(&:body).join(' ')}"
end

show 'equality', [Post.find(new.id)]
show 'equality (foreign key)', [Comment.find_by!(post_id: new.id).post]
show 'equality (join)', Post.joins(:comments).where(comment: { post_id: new.id })

show 'list', Post.where(id: ids).order(:id)

show 'list (any)', Post.where('id = ANY (ARRAY[?]::uid11[])', ids).order(:id)

show 'prefix', Post.with_prefix(prefix).order(:id)

show 'window', Post.made_between(from, upto).order(:id)

puts "text: #{Post.order(:id).pluck(:id).join(' ')}"

array = Post.connection.select_all('SELECT array_agg(id ORDER BY id) AS ids FROM post')
puts "text (array): #{array.cast_values[0].join(' ')}"

puts "introspection: #{Post.columns_hash['id'].type} #{Comment.columns_hash['post_id'].sql_type}"

puts "json: #{new.to_json}"
