/** 0 normal, 1 elevated, 2 VIP, 3 premium. */
export type TicketClass = 0 | 1 | 2 | 3
