-- That a buyer came back is forgotten after a while.
create index buyer_return_age on buyer_return (seller_id, last_at);
