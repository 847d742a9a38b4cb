class Post < ActiveRecord::Base
  self.table_name = 'post'

  has_many :comments

  scope :with_prefix, ->(prefix) { where('post.id <@ uid11_prefix(?)', prefix) }
  scope :made_between, ->(from, upto) { where('post.id <@ uid11_range(?, ?)', from, upto) }
end
