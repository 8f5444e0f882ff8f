-- How an organization appears to visitors, and what the picture of an event shows.
alter table organizations
  -- The end of the address of its page, /o/….
  add column slug text,
  add column about text not null default '' check (length(about) <= 5000),
  add column website text check (website ~ '^https://' and length(website) <= 500),
  add column colour text check (colour ~ '^#[0-9a-f]{6}$'),
  -- The letters of its headings.
  add column face text not null default 'programme' check (face in ('programme', 'poster', 'plain'));

-- Its logo as it is served, named by its bytes like the picture of an event.
create table organization_logos (
  organization_id uuid primary key references organizations (id),
  hash            text not null check (hash ~ '^[0-9a-f]{64}$'),
  width           integer not null check (width > 0),
  height          integer not null check (height > 0),
  bytes           bytea not null check (length(bytes) <= 1048576)
);
create index organization_logos_by_hash on organization_logos (hash);

alter table event_images
  -- What it shows, for visitors who do not see it.
  add column alt text not null default '' check (length(alt) <= 300),
  -- What stays in view where the picture is cut: percent from the left and from the top.
  add column focus_x smallint not null default 50 check (focus_x between 0 and 100),
  add column focus_y smallint not null default 50 check (focus_y between 0 and 100);

-- WHAT EXISTS ----------------------------------------------------------------------------------------------------------

-- Letters and digits of the name; a part of the id where that is not enough, or taken.
update organizations
   set slug = case when named.place = 1 and named.slug ~ '^[a-z0-9]' then named.slug
                   else trim(both '-' from left(named.slug, 40) || '-' || right(organizations.id::text, 8)) end
  from (select id, slug, row_number() over (partition by slug order by created_at, id) as place
          from (select id, created_at,
                       left(trim(both '-' from regexp_replace(fold_text(name), '[^a-z0-9]+', '-', 'g')), 48) as slug
                  from organizations) as folded) as named
 where named.id = organizations.id;
alter table organizations
  -- Until the organization has chosen one.
  alter column slug set default 'o-' || left(replace(gen_random_uuid()::text, '-', ''), 12),
  alter column slug set not null,
  add unique (slug),
  add check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60);
