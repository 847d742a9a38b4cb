# Tells ActiveRecord of uid11: in models, in migrations, and in schema.rb.

ActiveSupport.on_load(:active_record) do
  require 'active_record/connection_adapters/postgresql_adapter'

  class Uid11 < ActiveRecord::Type::String              # a string in Ruby
    def type
      :uid11
    end

    module Adapter                                      # before ActiveRecord reads the types
      def initialize_type_map(map = type_map)
        map.register_type 'uid11', Uid11.new
        super
      end
    end
  end

  adapter = ActiveRecord::ConnectionAdapters::PostgreSQLAdapter
  adapter.prepend Uid11::Adapter
  adapter::NATIVE_DATABASE_TYPES[:uid11] = { name: 'uid11' }
  [ActiveRecord::ConnectionAdapters::PostgreSQL::TableDefinition,
   ActiveRecord::ConnectionAdapters::PostgreSQL::Table].each do |table|
    table.send(:define_column_methods, :uid11)
  end
end
