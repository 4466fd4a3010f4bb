-- Notes of returns go by their age, whoever's they are.
create index buyer_return_old on buyer_return (last_at);
drop index buyer_return_age;
