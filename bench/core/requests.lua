--[[
  Makes wrk send whole requests from a file, and print what was counted as one line of JSON.

  Args   1 file    requests, each with its head and body as sent, separated by a zero byte
         2 order   "once": each request at most once; "turns": again and again, beginning at request 3
         3 first   where "turns" begins, from 0
  Prints { answers, seconds, refused, broken, sent, prepared }
         refused   answers with a status of 400 or more
         broken    connections that could not be opened, read or written, and answers after wrk's time limit
         sent      requests handed to wrk: more than `prepared` means that "once" ran out of them

  wrk asks for one request before it starts and does not send it: `sent` counts it, too.
]]
local thread_list = {}

function setup(thread)
  thread_list[#thread_list + 1] = thread
end

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  requests = {}
  for text in file:read('*a'):gmatch('[^%z]+') do
    requests[#requests + 1] = text
  end
  file:close()
  prepared, sent = #requests, 0
  first = args[2] == 'turns' and tonumber(args[3]) or 0
end

function request()
  local text = requests[(first + sent) % prepared + 1]
  sent = sent + 1
  return text
end

function done(summary)
  local errors = summary.errors
  local sent_by_all, prepared_for_all = 0, 0
  for _, thread in ipairs(thread_list) do
    sent_by_all = sent_by_all + thread:get('sent')
    prepared_for_all = prepared_for_all + thread:get('prepared')
  end
  print(
    string.format(
      '{"answers":%d,"seconds":%.6f,"refused":%d,"broken":%d,"sent":%d,"prepared":%d}',
      summary.requests,
      summary.duration / 1e6,
      errors.status,
      errors.connect + errors.read + errors.write + errors.timeout,
      sent_by_all,
      prepared_for_all
    )
  )
end
