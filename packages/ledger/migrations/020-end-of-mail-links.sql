-- When to look whether a link in a mail is still good for anything: its event may be moved, so it has no end of its own.
alter table mail_links add column check_at timestamptz not null default now() + interval '1 day';
create index mail_links_to_check on mail_links (check_at) where kind in ('order', 'transfer', 'return', 'offer');
create index transfers_by_end on transfers (eticket_id, ended_at) where status = 'accepted';
