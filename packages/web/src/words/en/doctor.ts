/** What `seatwise doctor` finds wrong with a deployment: in English on the command line, in every language in the console. */
export const doctor = {
  parts: {
    secret: 'Secret',
    'public address': 'Public address',
    proxy: 'Proxy',
    'strong sign-in': 'Strong sign-in',
    'staff sign-in': 'Staff sign-in',
    'rate limits': 'Rate limits',
    webhooks: 'Webhooks',
    'demo sale': 'Demo sale',
    faults: 'Injected faults',
    draining: 'Draining',
    workers: 'Workers',
    node: 'Node',
    'file descriptors': 'File descriptors',
    machine: 'Machine',
    'ledger version': 'Ledger: version',
    'ledger role': 'Ledger: role',
    'ledger durability': 'Ledger: durability',
    'ledger isolation': 'Ledger: isolation',
    'ledger connections': 'Ledger: connections',
    'ledger standbys': 'Ledger: standbys',
    'ledger slots': 'Ledger: replication slots',
    'ledger encryption': 'Ledger: encryption',
    'redis version': 'Redis: version',
    'redis role': 'Redis: role',
    'redis eviction': 'Redis: eviction',
    'redis memory': 'Redis: memory',
    'redis persistence': 'Redis: persistence',
    'redis replicas': 'Redis: replicas',
    'redis scripts': 'Redis: scripts',
    'redis encryption': 'Redis: encryption',
    'redis cluster': 'Redis: cluster',
  },
  says: {
    paymentsSandbox: 'the sandbox takes no real money: set SEATWISE_PAYMENTS to stripe or mollie for a real sale',
    mailMissing:
      'SEATWISE_SMTP_URL is not set: no mail is sent, so pages offer none: no sign-in by mail, no confirmations, no transfers, no returns list, no invitations',
    clockBehind: "{offset} ms behind this machine's: run a time service (chrony, systemd-timesyncd) on both machines",
    clockAhead: "{offset} ms ahead of this machine's: run a time service (chrony, systemd-timesyncd) on both machines",
    clockFarBehind:
      "{offset} ms behind this machine's, so that tokens end at the wrong time: run a time service (chrony, systemd-timesyncd) on both machines",
    clockFarAhead:
      "{offset} ms ahead of this machine's, so that tokens end at the wrong time: run a time service (chrony, systemd-timesyncd) on both machines",
    secretGuessable:
      'SEATWISE_SECRET does not look random, and an attacker who guesses it can forge every place in the line: generate one with "openssl rand -base64 32"',
    addressMissing:
      'SEATWISE_PUBLIC_URL is not set, so links in mails, cookies and origin checks guess the public address: set it to the https address that visitors use',
    addressPlain: '{url} is not encrypted: passwords and passes can be read in transit; serve it over https',
    proxyWide: 'SEATWISE_TRUST_PROXY trusts {network}, so any client can claim any address: name only the proxies',
    proxyUnnamed:
      'visitors come over https through a proxy, but SEATWISE_TRUST_PROXY does not name it: all visitors count as one address, and the rate limits would shut all of them out at once',
    strongOff:
      'SEATWISE_STRONG_SIGN_IN is off: a stolen password or mailbox of a manager is enough to cancel sales; set it to required',
    providerSilent:
      '{issuer} does not answer as an OpenID provider ({error}), so staff cannot sign in by it: check SEATWISE_OPENID_ISSUER and the network',
    providerWithoutProof: '{issuer} does not take proofs of the code (PKCE S256): allow them for this client',
    limitsOff: 'SEATWISE_RATE_LIMITS=off is for load tests: remove it',
    webhooksPrivate: 'SEATWISE_PRIVATE_WEBHOOKS=on lets organisers reach machines inside your network: remove it',
    demoOn: 'SEATWISE_DEMO=on shows visitors a demo sale',
    faultsOn: 'SEATWISE_FAULTS breaks the program on purpose: remove it',
    workersMany: 'SEATWISE_WORKERS is {workers}, but this machine has {cores} cores: set it to auto',
    nodeOld: 'version {version} does not run this program’s code: start it with "npm start" or "npx seatwise"',
    descriptorsFew:
      'at most {limit} open at once: more visitors than that cannot be connected; raise the limit to {wanted} or more ("ulimit -n", LimitNOFILE= in a systemd unit)',
    descriptorsTooFew:
      'at most {limit} open at once: a thousand visitors with one socket each exhaust them; raise the limit to {wanted} or more ("ulimit -n", LimitNOFILE= in a systemd unit)',
    memorySmall: '{gigabytes} GB of memory, {cores} cores: a large line needs 1 GB or more',
    ledgerOld: 'PostgreSQL {version}, but {needed} or later is required',
    ledgerStandby: 'DATABASE_URL points to a standby, which is read-only: name the primary',
    ledgerForgets: '{names} is off: a power cut can lose a paid sale; turn it on',
    ledgerIsolation:
      'default_transaction_isolation is {isolation}: claims that should wait for each other would fail instead; set it to "read committed" for this role',
    ledgerConnections: 'max_connections is {max}; each server uses {each}: set it to {needed} or more',
    ledgerAlone: 'none is connected (or this role may not see them): if the primary dies, the sale stops',
    ledgerSlotsIdle:
      '{names} is not consumed, and the ledger’s disk fills with what is kept for it: start the consumer, or drop the slot',
    ledgerSlotsUnbounded:
      'max_slot_wal_keep_size is not set: while a consumer is away, what is kept for it fills the ledger’s disk; set it',
    ledgerPlain: 'the connection is not encrypted: add ?sslmode=verify-full to DATABASE_URL',
    redisOld: '{version}, but {needed} or later is required',
    redisReplica: 'REDIS_URL points to a {role}, which is read-only: name the primary, or the Sentinels',
    redisEvicts: 'maxmemory-policy is {policy}; set it to noeviction, or Redis may evict the line',
    redisUnbounded:
      'maxmemory is not set: when memory is full, the machine kills Redis instead of refusing writes; set it',
    redisFull: '{used} of {max} used; a million visitors take about 220 MB: raise it before the sale',
    redisForgets: 'appendonly is off: after a restart the line is rebuilt from the ledger; turn it on (everysec)',
    redisCannotWrite: 'Redis cannot write its append-only file: check its disk',
    redisAlone: 'none: if Redis dies, admission stops until it is back; add one, with Sentinel or Cluster',
    redisUnguarded:
      '{replicas}, but min-replicas-to-write is not set: a primary that is cut off keeps acknowledging writes; set it to 1',
    redisScripts: 'busy-reply-threshold is {limit} ms: under load, requests would get BUSY errors; set it to 5000',
    redisPlain: 'the connection is not encrypted: use rediss:// in REDIS_URL',
    redisCluster: 'its state is {state}: some rooms would lose their line; repair it',
    drainNone:
      'SEATWISE_DRAIN_SECONDS is 0, so a balancer still sends visitors to a server that stops: set it to more than two of its health checks',
    ledgerPooler:
      'what a connection was set to at its start is lost, so time-outs and time zone are not ours: use the pooler in session mode, or none',
    ledgerArchive:
      'archive_mode is off: you can go back only to a backup, not to a moment; archive the log, or use what your provider calls point-in-time recovery',
    ledgerArchiveFails:
      'archiving the log fails: you cannot go back to a moment, and the log is kept until the disk is full; see what archive_command says in the log of PostgreSQL',
    ledgerOlder: 'servers that know schema {schemas} are connected, this program knows {known}: finish the upgrade',
    storeFar: 'an answer takes {took}, and every reservation waits for several: put servers and stores into one region',
    folderOpen:
      'other users of this machine can read {folder}, with secrets and personal data: run "chmod -R go= {folder}"',
    folderMoving: 'moving {folder} began and did not end: run "seatwise move" again',
    folderFleeting: '{folder} is in memory or in a container, and gone with it: put it on a disk or a volume',
    folderShared:
      '{folder} is on a network file system, where locks do not hold and writes may be lost: put it on a disk of this machine',
    folderFull: '{free} are free: a sale writes about 1 MB for a thousand buyers; make room before it',
    tracesAll: 'OTEL_TRACES_SAMPLER_ARG is {share}: that costs a third more for each request; set it to 0.01',
    tracesPlain: 'the key in OTEL_EXPORTER_OTLP_HEADERS is sent unencrypted: use https in OTEL_EXPORTER_OTLP_ENDPOINT',
    tracesAway: '{problem}, so traces are lost: check OTEL_EXPORTER_OTLP_ENDPOINT and its headers',
  },
} as const
