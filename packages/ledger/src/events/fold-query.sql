-- Fold the words of a search as events are folded when they are written.
-- Params   $1 words text, $2 place text
-- Returns  words, place: letters and digits, one blank between words
select fold_text($1) as words, fold_text($2) as place
