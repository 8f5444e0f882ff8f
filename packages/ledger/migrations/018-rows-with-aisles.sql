-- How far along its row a seat stands, counted in seats: neighbours differ by one, seats across an aisle by two. Numbers do not
-- tell, since rows may be numbered odd and even or skip numbers.
alter table seats add column along integer;
update seats set along = seat_number where seat_number is not null;
alter table seats add check ((seat_number is null) = (along is null));
