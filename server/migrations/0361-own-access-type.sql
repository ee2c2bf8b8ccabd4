-- A resource at the top level without an access type of its own is public from now on, whatever the default of its API
-- key. Those of keys with another default get as their own what they have in effect today.
create temporary table default_access_type on commit drop as
select api_key, value ->> 'defaultDocumentAccessType' as access_type
from setting
where name = 'api-key-options' and value ->> 'defaultDocumentAccessType' <> 'public';

update folder f
set access_type = t.access_type, inherit_access = false
from default_access_type t
where f.api_key = t.api_key and f.access_type is null and (not f.inherit_access or cardinality(f.path) = 0);

update document d
set access_type = t.access_type
from default_access_type t
where d.api_key = t.api_key and d.access_type is null and d.folder_key is null;
