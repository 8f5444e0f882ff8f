-- What a payment provider with a page of its own is asked for, until it has answered with a reference: a retry after a
-- lost answer or a crash must send the same. It holds the buyer's address, so it is cleared as soon as it is not needed.
alter table purchases add column provider_order json;
