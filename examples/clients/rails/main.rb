# uid11 with Rails' ActiveRecord; arguments: ID FROM UPTO PREFIX KEY (see doc/frameworks.md)

require 'active_record'
require_relative 'config/initializers/idtypes'

class Post < ActiveRecord::Base
  self.table_name = 'post'
end

id, from, upto, prefix, key = ARGV

def show(step, found)
  puts "#{step}: #{found.map(&:body).join(' ')}"
end

ActiveRecord::Base.establish_connection(adapter: 'postgresql', database: ENV['PGDATABASE'])
ActiveRecord::Migration.verbose = false
ActiveRecord::Migrator.migrations_paths = ["#{__dir__}/db/migrate"]
# from 7.2 on it is the pool that knows of migrations
database = [ActiveRecord::Base.connection_pool, ActiveRecord::Base.connection].find do |one|
  one.respond_to?(:migration_context)
end
database.migration_context.migrate                      # bin/rails db:migrate
File.open('schema.rb', 'w') do |file|                   # bin/rails db:schema:dump
  ActiveRecord::SchemaDumper.dump(database, file)
end
load 'schema.rb'                                        # bin/rails db:schema:load
puts 'migration: done'

Post.create!(id: id, body: 'given')
new = Post.create!(body: 'new')                         # INSERT ... RETURNING "id"
puts "default: #{new.id}"

show 'prefix', Post.where('id <@ uid11_prefix(?)', prefix).order(:id)
show 'window', Post.where('id <@ uid11_range(?, ?)', from, upto).order(:id)
address = Post.where(id: new.id)
              .pick(Arel.sql("uid11_encrypt(id, decode('#{key}', 'hex'))"))
puts "encrypted: #{address}"
show 'address', Post.where("id = uid11_try_decrypt(?, decode(?, 'hex'))", address, key)
