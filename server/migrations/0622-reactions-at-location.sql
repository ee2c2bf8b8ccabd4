-- outside of a transaction
-- By which a change of a location finds its reactions, as it finds recordings and notifications.
create index concurrently reaction_at_location on reaction (api_key, document_key, location_key)
  where location_key is not null;
