-- The key pairs that user tokens are signed with. They belong to the installation, not to a tenant: whoever verifies a
-- token finds the public keys in one place. The newest signs, all are published.
create table signing_key (
  id text primary key,
  public_jwk jsonb not null,
  private_sealed text not null,
  created_at bigint not null default now_ms()
);
