-- When the dashboard's own key ends, and until when a process is renewing it. api_key_id is unset while another key
-- is connected.
alter table billing_account
  add column api_key_expires_at timestamptz,
  add column renewing_until timestamptz;
