-- The side that a reason is given for, of an alert about a new reason.
alter table memory_alert add column side text check (side in ('approve', 'reject'));
