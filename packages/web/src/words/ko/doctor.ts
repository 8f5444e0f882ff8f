import type { Words } from '../words.ts'

export const doctor: Words['console']['doctor'] = {
  parts: {
    secret: '비밀 키',
    'public address': '공개 주소',
    proxy: '프록시',
    'strong sign-in': '강력한 로그인',
    'staff sign-in': '직원 로그인',
    'rate limits': '요청 제한',
    webhooks: '웹훅',
    'demo sale': '데모 판매',
    faults: '고의 장애',
    draining: '종료 대기',
    workers: '워커',
    node: 'Node',
    'file descriptors': '이 서버의 연결 수',
    machine: '서버',
    'ledger version': '원장: 버전',
    'ledger role': '원장: 역할',
    'ledger durability': '원장: 영속성',
    'ledger isolation': '원장: 격리 수준',
    'ledger connections': '원장: 연결 수',
    'ledger standbys': '원장: 대기 서버',
    'ledger slots': '원장: 복제 슬롯',
    'ledger encryption': '원장: 암호화',
    'redis version': 'Redis: 버전',
    'redis role': 'Redis: 역할',
    'redis eviction': 'Redis: 삭제 정책',
    'redis memory': 'Redis: 메모리',
    'redis persistence': 'Redis: 저장',
    'redis replicas': 'Redis: 복제본',
    'redis scripts': 'Redis: 스크립트',
    'redis encryption': 'Redis: 암호화',
    'redis cluster': 'Redis: 클러스터',
  },
  says: {
    paymentsSandbox:
      '데모 결제라 실제 돈을 받지 않습니다. 실제 판매에는 SEATWISE_PAYMENTS를 stripe 또는 mollie로 설정하세요.',
    mailMissing:
      'SEATWISE_SMTP_URL이 없어 메일을 보내지 않습니다. 그래서 메일 로그인, 확인 메일, 티켓 양도, 취소표 알림, 초대를 이용할 수 없습니다.',
    clockBehind: '이 서버보다 {offset} ms 늦습니다. 두 서버 모두 시각 동기화(chrony, systemd-timesyncd)를 켜세요.',
    clockAhead: '이 서버보다 {offset} ms 빠릅니다. 두 서버 모두 시각 동기화(chrony, systemd-timesyncd)를 켜세요.',
    clockFarBehind:
      '이 서버보다 {offset} ms 늦어 토큰이 잘못된 때에 끝납니다. 두 서버 모두 시각 동기화(chrony, systemd-timesyncd)를 켜세요.',
    clockFarAhead:
      '이 서버보다 {offset} ms 빨라 토큰이 잘못된 때에 끝납니다. 두 서버 모두 시각 동기화(chrony, systemd-timesyncd)를 켜세요.',
    secretGuessable:
      'SEATWISE_SECRET가 무작위로 만들어지지 않았습니다. 알아낸 사람은 모든 순서를 위조할 수 있습니다. "openssl rand -base64 32"로 만드세요.',
    addressMissing:
      'SEATWISE_PUBLIC_URL이 없어 메일 링크, 쿠키, 출처 검사가 방문자의 주소를 짐작해야 합니다. 방문자가 보는 https 주소로 설정하세요.',
    addressPlain: '{url}은 암호화되지 않아 비밀번호와 입장권이 도중에 읽힐 수 있습니다. https로 제공하세요.',
    proxyWide:
      'SEATWISE_TRUST_PROXY가 {network} 전체를 믿어 누구나 어떤 주소라도 내세울 수 있습니다. 프록시만 적으세요.',
    proxyUnnamed:
      '방문자가 프록시를 거쳐 https로 오지만 SEATWISE_TRUST_PROXY에 없습니다. 모두 한 주소로 세어져 제한이 한꺼번에 막습니다.',
    strongOff:
      'SEATWISE_STRONG_SIGN_IN이 꺼져 있어 매니저의 비밀번호나 메일함만 도용해도 판매를 취소할 수 있습니다. required로 설정하세요.',
    providerSilent:
      '{issuer}이(가) OpenID 제공자로 응답하지 않아({error}) 직원이 로그인할 수 없습니다. SEATWISE_OPENID_ISSUER와 네트워크를 확인하세요.',
    providerWithoutProof: '{issuer}이(가) 코드 증명(PKCE S256)을 받지 않습니다. 이 클라이언트에 허용하세요.',
    limitsOff: 'SEATWISE_RATE_LIMITS=off는 부하 시험용입니다. 지우세요.',
    webhooksPrivate: 'SEATWISE_PRIVATE_WEBHOOKS=on이면 주최 측이 내부망 서버에 닿을 수 있습니다. 지우세요.',
    demoOn: 'SEATWISE_DEMO=on이면 방문자에게 데모 판매가 보입니다.',
    faultsOn: 'SEATWISE_FAULTS는 프로그램을 일부러 고장 냅니다. 지우세요.',
    workersMany: 'SEATWISE_WORKERS가 {workers}인데 이 서버의 코어는 {cores}개입니다. auto로 설정하세요.',
    nodeOld: '버전 {version}은 이 프로그램을 실행하지 못합니다. "npm start"나 "npx seatwise"로 시작하세요.',
    descriptorsFew:
      '동시에 {limit}개까지만 열 수 있어 그보다 많은 방문자는 연결되지 않습니다. 한도를 {wanted} 이상으로 올리세요("ulimit -n", systemd의 LimitNOFILE=).',
    descriptorsTooFew:
      '동시에 {limit}개까지만 열 수 있어 방문자 천 명이면 다 찹니다. 한도를 {wanted} 이상으로 올리세요("ulimit -n", systemd의 LimitNOFILE=).',
    memorySmall: '메모리 {gigabytes} GB, 코어 {cores}개입니다. 큰 대기열에는 1 GB 이상이 필요합니다.',
    ledgerOld: 'PostgreSQL {version}입니다. {needed} 이상이 필요합니다.',
    ledgerStandby: 'DATABASE_URL이 판매할 수 없는 대기 서버를 가리킵니다. 주 서버를 적으세요.',
    ledgerForgets: '{names}이(가) 꺼져 있어 정전 때 결제된 판매가 사라질 수 있습니다. 켜세요.',
    ledgerIsolation:
      'default_transaction_isolation이 {isolation}입니다. 서로 기다려야 할 예약이 실패합니다. 이 역할에 "read committed"를 설정하세요.',
    ledgerConnections: 'max_connections가 {max}입니다. 서버 하나가 {each}개를 씁니다. {needed} 이상으로 설정하세요.',
    ledgerAlone: '연결된 대기 서버가 없습니다(또는 이 역할이 볼 수 없습니다). 주 서버가 멈추면 판매도 멈춥니다.',
    ledgerSlotsIdle:
      '{names} 슬롯을 읽는 곳이 없어 보관된 기록이 원장의 디스크를 채웁니다. 소비자를 시작하거나 슬롯을 삭제하세요.',
    ledgerSlotsUnbounded:
      'max_slot_wal_keep_size가 없어 소비자가 멈추면 보관된 기록이 원장의 디스크를 가득 채웁니다. 설정하세요.',
    ledgerPlain: '연결이 암호화되지 않았습니다. DATABASE_URL에 ?sslmode=verify-full을 붙이세요.',
    redisOld: '{version}입니다. {needed} 이상이 필요합니다.',
    redisReplica: 'REDIS_URL이 변경을 받지 않는 {role}을(를) 가리킵니다. 주 서버나 Sentinel을 적으세요.',
    redisEvicts: 'maxmemory-policy가 {policy}입니다. noeviction으로 바꾸지 않으면 Redis가 대기열을 지울 수 있습니다.',
    redisUnbounded: 'maxmemory가 없습니다. 메모리가 차면 거절하는 대신 Redis가 죽습니다. 설정하세요.',
    redisFull: '{max} 가운데 {used}를 쓰고 있습니다. 방문자 백만 명에 약 220 MB가 듭니다. 판매 전에 늘리세요.',
    redisForgets: 'appendonly가 꺼져 있습니다. 다시 시작하면 원장에서 대기열을 복구합니다. 켜세요(everysec).',
    redisCannotWrite: 'Redis가 append-only 파일을 쓰지 못합니다. 디스크를 확인하세요.',
    redisAlone: '없습니다. Redis가 멈추면 돌아올 때까지 모두 기다립니다. Sentinel이나 Cluster와 함께 추가하세요.',
    redisUnguarded:
      '{replicas}개 있지만 min-replicas-to-write가 없습니다. 끊긴 주 서버가 계속 받아들입니다. 1로 설정하세요.',
    redisScripts: 'busy-reply-threshold가 {limit} ms입니다. 바쁜 순간에 모두에게 BUSY로 답합니다. 5000으로 설정하세요.',
    redisPlain: '연결이 암호화되지 않았습니다. REDIS_URL에 rediss://를 쓰세요.',
    redisCluster: '상태가 {state}입니다. 일부 대기실의 대기열이 사라집니다. 복구하세요.',
    drainNone:
      'SEATWISE_DRAIN_SECONDS가 0이라, 멈추는 서버로 방문자가 계속 옵니다. 부하 분산기의 상태 확인 두 번보다 길게 설정하세요.',
    ledgerPooler:
      '연결을 시작할 때 정한 설정이 사라져 시간제한과 시간대가 다릅니다. 풀러를 세션 모드로 쓰거나 쓰지 마세요.',
    ledgerArchive: 'archive_mode가 꺼져 있어 백업 시점으로만 돌아갈 수 있습니다. 로그를 보관하거나 시점 복구를 켜세요.',
    ledgerArchiveFails:
      '로그 보관이 실패하고 있어 특정 시점으로 돌아갈 수 없고 디스크가 찰 때까지 로그가 쌓입니다. PostgreSQL 로그에서 archive_command를 확인하세요.',
    ledgerOlder:
      '스키마 {schemas}만 아는 서버가 연결되어 있고, 이 프로그램은 {known}까지 압니다. 업그레이드를 마치세요.',
    storeFar: '답에 {took}이 걸리고 예약마다 여러 번 기다립니다. 서버와 저장소를 한 지역에 두세요.',
    folderOpen:
      '이 컴퓨터의 다른 사용자가 비밀과 개인 정보가 있는 {folder}을(를) 읽을 수 있습니다. "chmod -R go= {folder}"를 실행하세요.',
    folderMoving: '{folder}의 이동이 끝나지 않았습니다. "seatwise move"를 다시 실행하세요.',
    folderFleeting: '{folder}이(가) 메모리나 컨테이너 안에 있어 함께 사라집니다. 디스크나 볼륨에 두세요.',
    folderShared: '{folder}이(가) 잠금이 보장되지 않는 네트워크 파일 시스템에 있습니다. 이 컴퓨터의 디스크에 두세요.',
    folderFull: '남은 공간이 {free}입니다. 구매자 천 명에 약 1 MB를 씁니다. 판매 전에 공간을 늘리세요.',
    tracesAll: 'OTEL_TRACES_SAMPLER_ARG가 {share}라 요청마다 비용이 3분의 1 늘어납니다. 0.01로 설정하세요.',
    tracesPlain:
      'OTEL_EXPORTER_OTLP_HEADERS의 키가 암호화되지 않고 전송됩니다. OTEL_EXPORTER_OTLP_ENDPOINT에 https를 쓰세요.',
    tracesAway: '추적이 사라집니다({problem}). OTEL_EXPORTER_OTLP_ENDPOINT와 헤더를 확인하세요.',
  },
}
