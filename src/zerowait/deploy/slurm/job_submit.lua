-- Gives every job the key by which it is started, at submission, for good.
-- Written by zerowait; what it was told stands in PLAN, the rest is the same everywhere.
--
-- A key is a time: the job with the smallest starts first. Slurm starts the highest priority
-- first, so a job's site factor, its whole priority, is HIGHEST less its key.
--@PLAN@

local HIGHEST = 2147483645 -- the largest site factor that Slurm keeps
local EPOCH = 1700000000 -- keys of time count from November 2023, so that they fit until 2091
local NO_VAL, INFINITE = 4294967294, 4294967295 -- what Slurm writes for "not given", "no limit"
local NO_VAL_16 = 65534
local PENDING = 0 -- job_state of a job that waits
local NO_LIMIT_MIN = 365 * 24 * 60 -- Slurm itself plans with a year where there is no limit

-- A number of Slurm's, or nil where it was not given.
local function given(value)
  if value == NO_VAL or value == NO_VAL_16 then
    return nil
  end
  return value
end

-- The first partition that a job names, or the default one, as Slurm tells of it; nil where the
-- user may not use it, and Slurm will refuse the job by itself.
local function partition_of(names, part_list)
  local wanted = names and names:match("^[^,]+")
  for name, part in pairs(part_list) do
    if name == wanted or (wanted == nil and part.flag_default == 1) then
      return part
    end
  end
  return nil
end

local function cpus_per_node(part)
  if part and part.total_nodes and part.total_nodes > 0 then
    return math.max(1, part.total_cpus / part.total_nodes)
  end
  return 1
end

-- What is noted of a job in its AdminComment, because Slurm's record of it does not tell scripts
-- of its tasks, nor that it asked for whole nodes. Only operators can write there.
local NOTE = "zerowait: (%d+) nodes, (%d+) CPUs, OverSubscribe=(%a+)"

local function noted(job)
  local there = given(job.job_id) -- what is submitted now has no number yet
  local nodes, cpus, share = (there and job.admin_comment or ""):match(NOTE)
  return tonumber(nodes), tonumber(cpus), share == "NO"
end

-- The nodes and CPUs that a request is for, and whether it takes whole nodes; `-n 8` without `-N`
-- says nothing of nodes, only of CPUs. What is noted holds unless the job is resized.
local function shape_of(job, part)
  local nodes, cpus, whole = noted(job)
  whole = whole or job.shared == 0 or (part ~= nil and part.max_share == 0)
  if not nodes or job.resized then
    nodes, cpus = given(job.min_nodes) or 1, given(job.min_cpus) or 1
    local tasks = given(job.num_tasks)
    if tasks then
      cpus = math.max(cpus, tasks * (given(job.cpus_per_task) or 1))
      local per_node = given(job.ntasks_per_node) or 0
      if per_node > 0 then
        nodes = math.max(nodes, math.ceil(tasks / per_node))
      end
    end
    nodes = math.max(nodes, math.ceil(cpus / cpus_per_node(part)))
  end
  return nodes, math.max(cpus, nodes, nodes * (given(job.pn_min_cpus) or 1)), whole
end

local function note_of(job, part)
  local nodes, cpus, whole = shape_of(job, part)
  local share = whole and "NO" or "OK"
  return string.format("zerowait: %d nodes, %d CPUs, OverSubscribe=%s", nodes, cpus, share)
end

-- How many servers a job holds.
local function need_of(job, part)
  local nodes, cpus, whole = shape_of(job, part)
  if PLAN.server == "node" then
    return nodes
  end
  return whole and math.max(cpus, nodes * cpus_per_node(part)) or cpus
end

-- The time limit in seconds, which is the job's estimate.
local function estimate_of(job, part)
  local minutes = given(job.time_limit)
  if minutes == nil and part then
    minutes = given(part.default_time) or part.max_time
  end
  if minutes == nil or minutes == INFINITE then
    minutes = NO_LIMIT_MIN
  end
  return 60 * math.max(1, minutes)
end

local function class_of(need, estimate)
  for _, class in ipairs(PLAN.classes) do
    if need >= class.need[1] and need <= class.need[2]
      and estimate >= class.estimate[1] and estimate < class.estimate[2] then
      return class
    end
  end
  return nil
end

-- How much later than its arrival a job is due, in seconds.
local function allowance_of(need, estimate)
  local class = class_of(need, estimate)
  if PLAN.has_allowances then
    return class and class.allowance or PLAN.largest_allowance
  end
  if PLAN.per_class then
    estimate = class and class.mean_service or estimate
  end
  return PLAN.patience
    * (PLAN.need_weight * math.log(need) + PLAN.time_weight * math.log(estimate))
end

local function site_factor_of(key)
  return math.min(HIGHEST, math.max(1, HIGHEST - math.floor(key + 0.5)))
end

-- The site factor of a job that came at `arrival`.
local function priority_of(arrival, need, estimate)
  if PLAN.key == "need" then
    return site_factor_of(need)
  elseif PLAN.key == "estimate" then
    return site_factor_of(estimate / 60)
  elseif PLAN.key == "area" then
    return site_factor_of(need * estimate / 60)
  end
  local allowance = PLAN.key == "due" and allowance_of(need, estimate) or 0
  return site_factor_of(arrival - EPOCH + allowance)
end

-- Is the plan for the partition of this job? Others keep the order of arrival.
local function is_planned(names, part)
  local name = names and names:match("^[^,]+") or part and part.name
  return name ~= nil and PLAN.partitions[name] == true
end

-- Something in a job that this script does not understand must not stop all submissions: the
-- job is then due late, so that nobody gains by it.
local function priority_at(arrival, job, names, part)
  local understood, priority = pcall(function()
    if not is_planned(names, part) then
      return site_factor_of(arrival - EPOCH)
    end
    return priority_of(arrival, need_of(job, part), estimate_of(job, part))
  end)
  if understood then
    return priority
  end
  slurm.log_error("zerowait: no key for a job, it is due in 30 days: %s", tostring(priority))
  return site_factor_of(arrival - EPOCH + 30 * 24 * 3600)
end

-- Where a job of the plan's partitions may run: servers of its class first, then the helpers. Nil
-- where it stays in the partition that it asks for, as it does if its user may not use that one:
-- Slurm then refuses it as before.
local function route_of(job, names, part)
  if PLAN.helpers == nil or part == nil or not is_planned(names, part) then
    return nil
  end
  local class = class_of(need_of(job, part), estimate_of(job, part))
  if class and class.partition then
    return class.partition .. "," .. PLAN.helpers
  end
  return PLAN.helpers
end

-- The site's own script, in a table of its own so that its functions do not replace these. It is
-- read again when it has changed, as Slurm does; one that cannot be read any more stays as it was.
local site = { text = nil, submit = nil, modify = nil }

local function load_site()
  if not PLAN.site_script then
    return true
  end
  local folder = debug.getinfo(1, "S").source:match("^@(.*/)[^/]*$") or ""
  local file = io.open(folder .. PLAN.site_script, "r")
  local text = file and file:read("*a")
  if file then
    file:close()
  end
  if text == nil or text == site.text then
    return site.text ~= nil
  end
  local own = setmetatable({}, { __index = _G })
  local chunk, problem
  if setfenv then -- Lua 5.1
    chunk, problem = loadstring(text, "@" .. PLAN.site_script)
    if chunk then
      setfenv(chunk, own)
    end
  else
    chunk, problem = load(text, "@" .. PLAN.site_script, "t", own)
  end
  if chunk then
    local ran, failure = pcall(chunk)
    if ran then
      site = { text = text, submit = own.slurm_job_submit, modify = own.slurm_job_modify }
      return true
    end
    problem = failure
  end
  slurm.log_error("zerowait: %s: %s", PLAN.site_script, tostring(problem))
  return site.text ~= nil
end

-- What the site's own function says; without its script nothing passes, as it would without Slurm's.
local function ask_site(name, ...)
  if not load_site() then
    slurm.log_error("zerowait: %s cannot be read: jobs are refused", PLAN.site_script)
    return slurm.ERROR
  end
  local answer = site[name] and site[name](...)
  if type(answer) ~= "number" then
    return slurm.SUCCESS
  end
  return answer
end

function slurm_job_submit(job, part_list, submit_uid)
  local answer = ask_site("submit", job, part_list, submit_uid)
  if answer ~= slurm.SUCCESS then
    return answer
  end
  local names = job.partition
  local part = partition_of(names, part_list)
  local arrival = math.max(os.time(), given(job.begin_time) or 0)
  job.site_factor = priority_at(arrival, job, names, part)
  local understood, note = pcall(note_of, job, part)
  if understood then
    job.admin_comment = (job.admin_comment and job.admin_comment .. "; " or "") .. note
  end
  local route = route_of(job, names, part)
  if route then
    job.partition = route
  end
  return slurm.SUCCESS
end

-- What a job will be: as it is, but for what is to be changed of it.
local function changed(job, record)
  local resized = given(job.min_nodes) or given(job.min_cpus) or given(job.num_tasks)
  return setmetatable({ resized = resized }, {
    __index = function(_, field)
      local value = given(job[field])
      if value == nil then
        value = record[field]
      end
      return value
    end,
  })
end

-- Another limit, size, partition or begin means another key, counted from the same arrival.
function slurm_job_modify(job, record, part_list, modify_uid)
  local answer = ask_site("modify", job, record, part_list, modify_uid)
  if answer ~= slurm.SUCCESS or record.job_state ~= PENDING then
    return answer
  end
  local resized = given(job.time_limit) or given(job.min_nodes) or given(job.min_cpus)
    or given(job.num_tasks) or job.partition
  local begin = given(job.begin_time) or 0
  local keyed = (given(record.site_factor) or 0) > 0 -- not if it waited before there were keys
  if keyed and not resized and begin == 0 then
    return slurm.SUCCESS
  end
  local old_names, names = record.partition, job.partition or record.partition
  local old_part, part = partition_of(old_names, part_list), partition_of(names, part_list)
  local arrival = record.submit_time
  if keyed and (PLAN.key == "due" or PLAN.key == "arrival") then
    -- It may have been counted from a later begin: what the key is more than it would be.
    arrival = arrival + priority_at(arrival, record, old_names, old_part) - record.site_factor
  end
  local new = changed(job, record)
  job.site_factor = priority_at(math.max(arrival, begin), new, names, part)
  local route = route_of(new, names, part)
  if route and route ~= record.partition then
    job.partition = route
  end
  return slurm.SUCCESS
end

slurm.log_info("zerowait: job_submit.lua loaded, order %s", PLAN.key)
return slurm.SUCCESS
