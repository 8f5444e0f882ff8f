-- What search reads. Everything is folded once when it is written: accents, case and punctuation are gone, words stand
-- apart by one blank. A query is folded by the same function, so "ha noi" and "Hà Nội" are the same text.

create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- The extension's own function is only stable, because somebody could change its dictionary. We declare ours immutable,
-- which generated columns need: whoever edits that dictionary must rewrite the events. The dictionary is named with its
-- schema, wherever the extension was installed, so that the answer never depends on a search path.
do $$
declare
  home text;
begin
  select quote_ident(nspname) into strict home
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
   where extname = 'unaccent';
  execute format(
    $function$
      create function fold_text(value text) returns text
        language sql immutable strict parallel safe
        return trim(regexp_replace(lower(%1$s.unaccent('%1$s.unaccent'::regdictionary, normalize(value, NFKC))),
          '[^[:alnum:]]+', ' ', 'g'))
    $function$, home);
end
$$;

-- "Hà Nội" is also written Hanoi: a place is found with and without the blanks in it.
create function fold_place(location text) returns text
  language sql immutable strict parallel safe
  return fold_text(location) || ' ' || replace(fold_text(location), ' ', '');

alter table events
  add column name_folded text not null generated always as (fold_text(name)) stored,
  add column code_folded text generated always as (fold_text(code)) stored,
  add column place_folded text not null generated always as (fold_place(location)) stored,
  -- Name, code and place: what typing errors are forgiven in.
  add column near_folded text not null
    generated always as (fold_text(name || ' ' || coalesce(code, '')) || ' ' || fold_place(location)) stored,
  add column name_words tsvector not null
    generated always as (to_tsvector('simple', fold_text(name || ' ' || coalesce(code, '')))) stored,
  -- Weights: A name and code, B place, C description. Nobody searches for the thousandth word of a description.
  add column words tsvector not null generated always as (
    setweight(to_tsvector('simple', fold_text(name || ' ' || coalesce(code, ''))), 'A')
    || setweight(to_tsvector('simple', fold_place(location)), 'B')
    || setweight(to_tsvector('simple', fold_text(left(description, 4000))), 'C')) stored,
  -- What date filters read: when it takes place or, where that is open, when its sale begins.
  add column happens_at timestamptz not null generated always as (coalesce(starts_at, sales_start_at)) stored;

create index events_by_name on events (name_folded collate "C", id);
create index events_by_date on events (happens_at, id);
-- Without fast update: a list of postponed entries would be read by every search, and events are written rarely.
create index events_by_name_words on events using gin (name_words) with (fastupdate = off);
create index events_by_words on events using gin (words) with (fastupdate = off);
create index events_by_near_trigrams on events using gin (near_folded gin_trgm_ops) with (fastupdate = off);
create index events_by_place_trigrams on events using gin (place_folded gin_trgm_ops) with (fastupdate = off);
