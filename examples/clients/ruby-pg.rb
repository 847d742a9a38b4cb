# uid11 with ruby-pg; arguments: ID FROM UPTO (see doc/clients.md)

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

id, from, upto = ARGV
db = PG.connect                                 # PGHOST and so on say where
Uid11.register(db)

db.exec_params("INSERT INTO post (id, body) VALUES ($1, 'given')", [id])
new = db.exec("INSERT INTO post (body) VALUES ('new') RETURNING id").getvalue(0, 0)
puts "default: #{new}"

show = lambda do |step, condition, *values|
  found = db.exec_params("SELECT body FROM post WHERE #{condition} ORDER BY id", values)
  puts "#{step}: #{found.column_values(0).join(' ')}"
end

show.('equality', 'id = $1', new)
show.('list', 'id = ANY($1)', PG::TextEncoder::Array.new.encode([id, new]))
show.('window', 'id <@ uid11_range($1, $2)', from, upto)
show.('instant', 'id >= $1::timestamptz', from)

array = db.exec('SELECT array_agg(id ORDER BY id) FROM post').getvalue(0, 0)
puts "array: #{array.join(' ')}"
puts "mapped: #{array[0].class} #{new.class}"

db.type_map_for_results = PG::TypeMapAllStrings.new
found = db.exec_params('SELECT id FROM post ORDER BY id', [], 1)
values = found.column_values(0)                 # strings of bytes, most significant first
puts "binary: #{values.map { |value| value.unpack1('H*') }.join(' ')}"
show.('binary parameter', 'id = $1', { value: values[0], format: 1 })
