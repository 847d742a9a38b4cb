# uid11 with ruby-pg; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)

require 'pg'

class Uid11 < String                            # an id, as the server writes it
  class Decoder < PG::SimpleDecoder
    def decode(text, *)
      text && Uid11.new(text)
    end
  end

  def self.register(db)
    type, = db.exec("SELECT oid, typarray FROM pg_type WHERE oid = 'uid11'::regtype").to_a
    id = Decoder.new(oid: type['oid'].to_i, name: 'uid11')
    ids = PG::TextDecoder::Array.new(oid: type['typarray'].to_i, elements_type: id)
    results = PG::BasicTypeMapForResults.new(db)
    [id, ids].each { |decoder| results.add_coder(decoder) }
    db.type_map_for_results = results
  end
end

path, prefix, from, upto = ARGV
lines = File.readlines(path)
given, *bulk = lines.map { |line| line.chomp.split("\t") }
ids = [given, *bulk.take(2)].map(&:first)

db = PG.connect                                 # PGHOST and so on say where
Uid11.register(db)

db.copy_data('COPY post (id, body) FROM STDIN', PG::TextEncoder::CopyRow.new) do
  bulk.each { |row| db.put_copy_data(row) }
end
puts "copy text: #{bulk.size}"

new = db.exec_params('INSERT INTO post (body) VALUES ($1) RETURNING id', ['new']).getvalue(0, 0)
puts "default: #{new}"

db.exec_params('INSERT INTO post (id, body) VALUES ($1, $2)', given)

def show(step, found)
  puts "#{step}: #{found.column_values(0).join(' ')}"
end

show 'equality', db.exec_params('SELECT body FROM post WHERE id = $1', [new])

array = PG::TextEncoder::Array.new.encode(ids)
show 'list', db.exec_params('SELECT body FROM post WHERE id = ANY($1) ORDER BY id', [array])

show 'prefix', db.exec_params(
  'SELECT body FROM post WHERE id <@ uid11_prefix($1) ORDER BY id', [prefix])

show 'window', db.exec_params(
  'SELECT body FROM post WHERE id <@ uid11_range($1, $2) ORDER BY id', [from, upto])

show 'instant', db.exec_params(
  'SELECT body FROM post WHERE id >= $1::timestamptz ORDER BY id', [from])

show 'text', db.exec('SELECT id FROM post ORDER BY id')

array = db.exec('SELECT array_agg(id ORDER BY id) FROM post').getvalue(0, 0)
puts "array: #{array.join(' ')}"
puts "mapped: #{array[0].class} #{new.class}"

db.type_map_for_results = PG::TypeMapAllStrings.new
found = db.exec_params('SELECT id FROM post ORDER BY id', [], 1)
values = found.column_values(0)                 # strings of bytes, most significant first
body = db.exec_params('SELECT body FROM post WHERE id = $1', [{ value: values[0], format: 1 }])
puts "binary: #{values.map { |value| value.unpack1('H*') }.join(' ')}"
show 'binary parameter', body
