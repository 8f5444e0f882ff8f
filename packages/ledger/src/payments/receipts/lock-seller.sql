-- Lock an organization's last number, so that one transaction at a time gives the next ones.
-- Params   $1 organization_id uuid
-- Returns  the organization
-- Locks    its row
select id from organizations where id = $1::uuid for update
