import { movesWithThread } from '../comments/change/threads-moved.ts'
import { deletesWithLocation, movesWithLocation } from '../locations/location-reactions.ts'

/** Deletes the notifications of a location with its data. */
export const deleteNotificationsOfLocations = deletesWithLocation('notification')

/** Moves notifications with their location. */
export const moveNotificationsOfLocations = movesWithLocation('notification')

/** Moves the notifications of a thread with it. */
export const moveNotificationsOfThreads = movesWithThread('notification')
