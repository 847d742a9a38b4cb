class Comment < ActiveRecord::Base
  self.table_name = 'comment'

  belongs_to :post
end
