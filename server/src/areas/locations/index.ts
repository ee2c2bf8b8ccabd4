export { deleteLocationData } from './delete-location-data.ts'
export { updateLocation } from './update-location.ts'
