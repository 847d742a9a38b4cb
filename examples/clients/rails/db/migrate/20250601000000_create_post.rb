class CreatePost < ActiveRecord::Migration[6.1]
  def change
    enable_extension 'idtypes'

    create_table :post, id: :uid11, default: -> { "uid11_generate()" } do |t|
      t.text :body, null: false
    end

    create_table :comment do |t|
      t.references :post, type: :uid11, null: false, foreign_key: { to_table: :post }
    end
  end
end
