import { isNamed, type SaleEvent } from '@seatwise/domain'

/** Who issues the pass: the organization, or the event where the house has no name of its own. */
export const nameOrganizer = ({ organizer, name }: SaleEvent): string => (isNamed(organizer) ? organizer.name : name)
