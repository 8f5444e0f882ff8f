import type { Words } from '../words.ts'

export const doctor: Words['console']['doctor'] = {
  parts: {
    secret: 'Khóa bí mật',
    'public address': 'Địa chỉ công khai',
    proxy: 'Proxy',
    'strong sign-in': 'Đăng nhập mạnh',
    'staff sign-in': 'Đăng nhập của nhân viên',
    'rate limits': 'Giới hạn yêu cầu',
    webhooks: 'Webhook',
    'demo sale': 'Đợt bán thử',
    faults: 'Lỗi cố ý',
    draining: 'Chờ trước khi dừng',
    workers: 'Tiến trình',
    node: 'Node',
    'file descriptors': 'Số kết nối của máy',
    machine: 'Máy chủ',
    'ledger version': 'Sổ cái: phiên bản',
    'ledger role': 'Sổ cái: vai trò',
    'ledger durability': 'Sổ cái: độ bền',
    'ledger isolation': 'Sổ cái: mức cô lập',
    'ledger connections': 'Sổ cái: số kết nối',
    'ledger standbys': 'Sổ cái: máy dự phòng',
    'ledger slots': 'Sổ cái: khe nhân bản',
    'ledger encryption': 'Sổ cái: mã hóa',
    'redis version': 'Redis: phiên bản',
    'redis role': 'Redis: vai trò',
    'redis eviction': 'Redis: chính sách xóa',
    'redis memory': 'Redis: bộ nhớ',
    'redis persistence': 'Redis: lưu trữ',
    'redis replicas': 'Redis: bản sao',
    'redis scripts': 'Redis: tập lệnh',
    'redis encryption': 'Redis: mã hóa',
    'redis cluster': 'Redis: cụm',
  },
  says: {
    paymentsSandbox: 'Cổng thử không nhận tiền thật. Hãy đặt SEATWISE_PAYMENTS thành stripe hoặc mollie khi bán thật.',
    mailMissing:
      'Chưa đặt SEATWISE_SMTP_URL: không gửi email nào, nên trang không cung cấp đăng nhập bằng email, email xác nhận, chuyển vé, danh sách chờ vé trả lại và lời mời',
    clockBehind: 'Chậm hơn máy này {offset} ms. Hãy bật đồng bộ giờ (chrony, systemd-timesyncd) trên cả hai máy.',
    clockAhead: 'Nhanh hơn máy này {offset} ms. Hãy bật đồng bộ giờ (chrony, systemd-timesyncd) trên cả hai máy.',
    clockFarBehind:
      'Chậm hơn máy này {offset} ms nên token hết hạn sai lúc. Hãy bật đồng bộ giờ (chrony, systemd-timesyncd) trên cả hai máy.',
    clockFarAhead:
      'Nhanh hơn máy này {offset} ms nên token hết hạn sai lúc. Hãy bật đồng bộ giờ (chrony, systemd-timesyncd) trên cả hai máy.',
    secretGuessable:
      'SEATWISE_SECRET không được tạo ngẫu nhiên; ai đoán được có thể làm giả mọi chỗ trong hàng. Hãy tạo bằng "openssl rand -base64 32".',
    addressMissing:
      'Chưa đặt SEATWISE_PUBLIC_URL nên liên kết trong email, cookie và kiểm tra nguồn phải đoán địa chỉ. Hãy đặt địa chỉ https mà khách thấy.',
    addressPlain: '{url} không được mã hóa: mật khẩu và lượt vào có thể bị đọc trên đường. Hãy dùng https.',
    proxyWide: 'SEATWISE_TRUST_PROXY tin cả {network}, nên ai cũng có thể giả địa chỉ. Hãy chỉ ghi các proxy.',
    proxyUnnamed:
      'Khách đến bằng https qua proxy nhưng SEATWISE_TRUST_PROXY không ghi proxy đó: mọi người bị tính là một địa chỉ và bị chặn cùng lúc.',
    strongOff:
      'SEATWISE_STRONG_SIGN_IN đang tắt: chỉ cần lấy được mật khẩu hoặc hộp thư của một quản lý là có thể hủy đợt bán; hãy đặt thành required.',
    providerSilent:
      '{issuer} không trả lời như một nhà cung cấp OpenID ({error}), nên nhân viên không đăng nhập được: hãy kiểm tra SEATWISE_OPENID_ISSUER và mạng',
    providerWithoutProof: '{issuer} không nhận bằng chứng mã (PKCE S256): hãy cho phép với ứng dụng này',
    limitsOff: 'SEATWISE_RATE_LIMITS=off chỉ để thử tải. Hãy bỏ đi.',
    webhooksPrivate: 'SEATWISE_PRIVATE_WEBHOOKS=on cho ban tổ chức chạm tới máy trong mạng nội bộ. Hãy bỏ đi.',
    demoOn: 'SEATWISE_DEMO=on cho khách thấy một đợt bán thử.',
    faultsOn: 'SEATWISE_FAULTS cố ý làm hỏng chương trình. Hãy bỏ đi.',
    workersMany: 'SEATWISE_WORKERS là {workers} nhưng máy này chỉ có {cores} nhân. Hãy đặt là auto.',
    nodeOld:
      'Phiên bản {version} không chạy được chương trình này. Hãy khởi động bằng "npm start" hoặc "npx seatwise".',
    descriptorsFew:
      'Chỉ mở được {limit} kết nối cùng lúc, nhiều hơn thì khách không vào được. Hãy nâng lên {wanted} trở lên ("ulimit -n", LimitNOFILE= trong systemd).',
    descriptorsTooFew:
      'Chỉ mở được {limit} kết nối cùng lúc; một nghìn khách là hết. Hãy nâng lên {wanted} trở lên ("ulimit -n", LimitNOFILE= trong systemd).',
    memorySmall: '{gigabytes} GB bộ nhớ, {cores} nhân: hàng dài cần 1 GB trở lên.',
    ledgerOld: 'PostgreSQL {version}; cần {needed} trở lên.',
    ledgerStandby: 'DATABASE_URL trỏ đến máy dự phòng, không bán được. Hãy ghi máy chính.',
    ledgerForgets: '{names} đang tắt: mất điện có thể làm mất vé đã trả tiền. Hãy bật lên.',
    ledgerIsolation:
      'default_transaction_isolation là {isolation}: các lượt giữ ghế chờ nhau sẽ thất bại. Hãy đặt "read committed" cho vai trò này.',
    ledgerConnections: 'max_connections là {max}; mỗi máy chủ dùng {each}. Hãy đặt {needed} trở lên.',
    ledgerAlone: 'Không có máy dự phòng nào kết nối (hoặc vai trò này không thấy được): máy chính hỏng thì ngừng bán.',
    ledgerSlotsIdle:
      'Không có nơi nào đọc khe {names}, nên dữ liệu giữ lại sẽ làm đầy đĩa của sổ cái. Hãy chạy lại nơi nhận hoặc xóa khe.',
    ledgerSlotsUnbounded:
      'Chưa đặt max_slot_wal_keep_size: khi nơi nhận ngừng đọc, dữ liệu giữ lại sẽ làm đầy đĩa của sổ cái. Hãy đặt giới hạn.',
    ledgerPlain: 'Kết nối không được mã hóa. Hãy thêm ?sslmode=verify-full vào DATABASE_URL.',
    redisOld: '{version}; cần {needed} trở lên.',
    redisReplica: 'REDIS_URL trỏ đến {role}, không nhận thay đổi. Hãy ghi máy chính hoặc các Sentinel.',
    redisEvicts: 'maxmemory-policy là {policy}; hãy đặt noeviction, nếu không Redis có thể quên hàng chờ.',
    redisUnbounded: 'Chưa đặt maxmemory: khi đầy, máy sẽ tắt Redis thay vì từ chối. Hãy đặt.',
    redisFull: 'Đã dùng {used} trong {max}; một triệu khách cần khoảng 220 MB. Hãy tăng thêm trước khi bán.',
    redisForgets: 'appendonly đang tắt: sau khi khởi động lại, hàng được dựng lại từ sổ cái. Hãy bật (everysec).',
    redisCannotWrite: 'Redis không ghi được tệp append-only. Hãy xem ổ đĩa.',
    redisAlone: 'Không có: Redis hỏng thì mọi người phải chờ. Hãy thêm bản sao, với Sentinel hoặc Cluster.',
    redisUnguarded:
      'Có {replicas}, nhưng chưa đặt min-replicas-to-write: máy chính bị tách vẫn tiếp tục nhận. Hãy đặt là 1.',
    redisScripts: 'busy-reply-threshold là {limit} ms: lúc bận, mọi người sẽ nhận BUSY. Hãy đặt 5000.',
    redisPlain: 'Kết nối không được mã hóa. Hãy dùng rediss:// trong REDIS_URL.',
    redisCluster: 'Trạng thái là {state}: một số phòng sẽ không có hàng chờ. Hãy sửa.',
    drainNone:
      'SEATWISE_DRAIN_SECONDS là 0 nên khách vẫn được gửi đến máy chủ đang dừng: hãy đặt lâu hơn hai lần kiểm tra của bộ cân bằng tải.',
    ledgerPooler:
      'Thiết lập lúc mở kết nối bị mất nên giới hạn thời gian và múi giờ không đúng: hãy dùng pooler ở chế độ session, hoặc không dùng.',
    ledgerArchive:
      'archive_mode đang tắt: chỉ có thể quay lại bản sao lưu, không quay lại một thời điểm. Hãy lưu trữ nhật ký WAL.',
    ledgerArchiveFails:
      'Lưu trữ nhật ký WAL đang lỗi: không thể quay lại một thời điểm, và nhật ký tích lại cho đến khi đầy đĩa. Hãy xem archive_command trong nhật ký của PostgreSQL.',
    ledgerOlder:
      'Có máy chủ chỉ biết lược đồ {schemas} đang kết nối, chương trình này biết {known}: hãy hoàn tất việc nâng cấp.',
    storeFar:
      'Một câu trả lời mất {took}, và mỗi lần giữ chỗ phải chờ vài câu: hãy đặt máy chủ và kho dữ liệu trong một vùng.',
    folderOpen:
      'Người dùng khác của máy này đọc được {folder}, nơi có bí mật và dữ liệu cá nhân: hãy chạy "chmod -R go= {folder}".',
    folderMoving: 'Việc chuyển {folder} chưa xong: hãy chạy lại "seatwise move".',
    folderFleeting: '{folder} nằm trong bộ nhớ hoặc trong container và sẽ mất theo: hãy đặt trên ổ đĩa hoặc volume.',
    folderShared: '{folder} nằm trên hệ thống tệp mạng, nơi khóa không chắc chắn: hãy đặt trên ổ đĩa của máy này.',
    folderFull: 'Còn trống {free}: một nghìn người mua cần khoảng 1 MB. Hãy dọn chỗ trước khi bán.',
    tracesAll: 'OTEL_TRACES_SAMPLER_ARG là {share}: mỗi yêu cầu tốn thêm một phần ba. Hãy đặt 0.01.',
    tracesPlain:
      'Khóa trong OTEL_EXPORTER_OTLP_HEADERS được gửi không mã hóa: hãy dùng https trong OTEL_EXPORTER_OTLP_ENDPOINT.',
    tracesAway: '{problem}, nên mất dấu vết: hãy kiểm tra OTEL_EXPORTER_OTLP_ENDPOINT và các header.',
  },
}
