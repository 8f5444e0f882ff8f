-- Change what receipts say about an organization from now on, and where the money of payments that begin from now on goes.
-- Receipts that were issued keep what they said.
-- Params   $1 id uuid, $2 name text, $3 address text, $4 tax_number text; null keeps what is there. $5 whether the account
--          changes boolean, $6 stripe_account text, null for the house's own
-- Returns  the organization, with its former values in `before`; no row when there is none
-- Locks    its row, like a batch of receipts: each receipt has the data of before or after, never a mixture
with former as (
  select id, name, address, tax_number, stripe_account from organizations where id = $1::uuid for update
)
update organizations
   set name = coalesce($2::text, former.name), address = coalesce($3::text, former.address),
       tax_number = coalesce($4::text, former.tax_number),
       stripe_account = case when $5::boolean then $6::text else former.stripe_account end
  from former
 where organizations.id = former.id
returning organizations.id, organizations.name, organizations.address, organizations.tax_number as "taxNumber",
          organizations.stripe_account as "stripeAccount",
          jsonb_build_object('name', former.name, 'address', former.address, 'taxNumber', former.tax_number,
                             'stripeAccount', former.stripe_account) as before
