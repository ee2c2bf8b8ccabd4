-- Refused sign-ins of a network within a minute. The first is recorded at once, the sum when the minute has ended.
create table refused_sign_in (
  network text primary key,
  address text not null,
  actor text not null,
  proof text not null,
  attempts integer not null default 1,
  began_at bigint not null default now_ms(),
  ends_at bigint not null default now_ms() + 60000
);

create index refused_sign_in_ended on refused_sign_in (ends_at);
