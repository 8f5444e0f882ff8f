-- Ed25519 key pairs that sign passes and e-tickets, shared by all servers.
create table signing_keys (
  -- RFC 7638 thumbprint of the public key.
  kid                text primary key,
  -- Order of creation; unique so that servers which rotate at the same moment make one new key between them.
  generation         integer not null unique check (generation > 0),
  -- Base64url of the 32 bytes, as in a JWK's "x".
  public_key         text not null,
  -- Encrypted with a key derived from the secret named by sealed_with; erased when the key has signed its last.
  sealed_private_key text,
  sealed_with        text,
  signs_from         timestamptz not null,
  signs_until        timestamptz not null,
  -- What was signed may be checked, and the public key is published, until then.
  published_until    timestamptz not null,
  created_at         timestamptz not null default now(),
  check (signs_from < signs_until and signs_until <= published_until),
  check ((sealed_private_key is null) = (sealed_with is null))
);
