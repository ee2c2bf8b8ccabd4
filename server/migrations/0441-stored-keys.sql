-- Random keys of the installation, sealed under the master key: what is made with one outlives the rotation of the latter.
create table stored_key (
  name text primary key,
  sealed text not null
);

-- From when on a key signs. It is published before, so that verifiers know it by then.
alter table signing_key add column signs_from bigint not null default 0;
