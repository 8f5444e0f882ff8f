-- Sessions that were begun or confirmed with more than a password or a mail.

alter table sessions add column is_strong boolean not null default false;
update sessions set is_strong = true where method in ('passkey', 'openid', 'recovery');
